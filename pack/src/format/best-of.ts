/** Selects the best of many items that arrive one after the other. Memory: twice as many items as are selected. */
export class BestOf<T> {
  readonly #maxCount: number;
  readonly #compare: (one: T, other: T) => number;
  #found: T[] = [];
  #worst: T | undefined;

  /** @param compare negative if the first is better; never 0 for different ones */
  constructor(maxCount: number, compare: (one: T, other: T) => number) {
    this.#maxCount = maxCount;
    this.#compare = compare;
  }

  /** An item that is no better than this one cannot be among the best. Undefined as long as every item can. */
  get worst(): T | undefined {
    return this.#worst;
  }

  offer(item: T): void {
    if (this.#worst !== undefined && this.#compare(item, this.#worst) >= 0) return;
    // The worse half is dropped when there are twice as many.
    if (this.#found.push(item) < 2 * this.#maxCount) return;
    this.#found = this.inOrder();
    this.#worst = this.#found.at(-1);
  }

  /** The best first. */
  inOrder(): T[] {
    return this.#found.toSorted(this.#compare).slice(0, this.#maxCount);
  }
}
