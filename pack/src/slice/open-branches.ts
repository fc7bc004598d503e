/** The branches that may get more children, highest priority first: a binary heap in columns. */
export class OpenBranches {
  readonly #priority: Float64Array;
  readonly #branch: Uint32Array;
  #size = 0;

  /** @param capacity the maximum number of branches */
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

  /** The branch with the highest priority; on a tie, the first one in the tree. */
  get first(): number {
    return this.#branch[0]!;
  }

  /** Removes the first branch. */
  pop(): void {
    const last = --this.#size;
    this.#sink(this.#branch[last]!, this.#priority[last]!);
  }

  /** Lowers the priority of the first branch. */
  lower(priority: number): void {
    this.#sink(this.#branch[0]!, priority);
  }

  /** Puts a branch in place of the first and moves it down to its position. */
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
