/** Branches of which more children may be shown, the one with the greatest priority first: a binary heap in columns. */
export class OpenBranches {
  readonly #priority: Float64Array;
  readonly #branch: Uint32Array;
  #size = 0;

  /** @param capacity branches at most */
  constructor(capacity: number) {
    this.#priority = new Float64Array(capacity);
    this.#branch = new Uint32Array(capacity);
  }

  get isEmpty(): boolean {
    return this.#size === 0;
  }

  push(branch: number, priority: number): void {
    let at = this.#size++;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isBefore(priority, branch, above)) break;
      this.#move(above, at);
      at = above;
    }
    this.#priority[at] = priority;
    this.#branch[at] = branch;
  }

  /** The branch with the greatest priority, the first in the tree among equals. */
  get first(): number {
    return this.#branch[0]!;
  }

  /** Takes the first one out. */
  pop(): void {
    const last = --this.#size;
    this.#sink(this.#branch[last]!, this.#priority[last]!);
  }

  /** Gives the first one another priority, which is not greater. */
  lower(priority: number): void {
    this.#sink(this.#branch[0]!, priority);
  }

  /** Puts one in the place of the first, and what is before it above it. */
  #sink(branch: number, priority: number): void {
    const size = this.#size;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && this.#isBefore(this.#priority[below + 1]!, this.#branch[below + 1]!, below)) below++;
      if (this.#isBefore(priority, branch, below)) break;
      this.#move(below, at);
      at = below;
    }
    this.#priority[at] = priority;
    this.#branch[at] = branch;
  }

  #isBefore(priority: number, branch: number, at: number): boolean {
    const other = this.#priority[at]!;
    return priority > other || (priority === other && branch < this.#branch[at]!);
  }

  #move(from: number, to: number): void {
    this.#priority[to] = this.#priority[from]!;
    this.#branch[to] = this.#branch[from]!;
  }
}
