const fewest = 256;

/**
 * Numbers in an order of which only the beginning is known: as much as was asked for. The first of many therefore cost
 * one pass, and not a full sort.
 */
export class PartlySorted {
  readonly #items: Uint32Array;
  readonly #compare: (one: number, other: number) => number;
  #sorted = 0;

  /** @param items reordered in place @param compare never 0 for two items */
  constructor(items: Uint32Array, compare: (one: number, other: number) => number) {
    this.#items = items;
    this.#compare = compare;
  }

  get length(): number {
    return this.#items.length;
  }

  /** Those from `from` to before `end`, as far as there are any. Valid until the next call. */
  slice(from: number, end: number): Uint32Array {
    const most = Math.min(end, this.#items.length);
    if (most > this.#sorted) {
      // Twice as many each time, so that reading all pages costs no more than a sort.
      const until = Math.min(this.#items.length, Math.max(most, 2 * this.#sorted, fewest));
      this.#select(this.#sorted, this.#items.length, until);
      this.#items.subarray(this.#sorted, until).sort(this.#compare);
      this.#sorted = until;
    }
    return this.#items.subarray(Math.min(from, most), most);
  }

  /** Moves the first ones before `until`, in any order. Source: Hoare, "Algorithm 65: Find", CACM 4(7), 1961. */
  #select(start: number, behind: number, until: number): void {
    let [low, high] = [start, behind - 1];
    while (low < high && until <= high) {
      const middle = this.#items[this.#pivot(low, high)]!;
      let [left, right] = [low, high];
      while (left <= right) {
        while (this.#compare(this.#items[left]!, middle) < 0) left++;
        while (this.#compare(this.#items[right]!, middle) > 0) right--;
        if (left > right) break;
        const item = this.#items[left]!;
        this.#items[left++] = this.#items[right]!;
        this.#items[right--] = item;
      }
      if (until <= right + 1) high = right;
      else if (until > left) low = left;
      else return;
    }
  }

  /** The median of the first, the middle and the last, so that sorted input is no bad case. */
  #pivot(low: number, high: number): number {
    const middle = (low + high) >> 1;
    const places = [low, middle, high];
    places.sort((one, other) => this.#compare(this.#items[one]!, this.#items[other]!));
    return places[1]!;
  }
}
