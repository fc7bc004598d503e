/**
 * Limits probing. Longer probe sequences are rare by chance, and a file crafted to cause collisions must not get them
 * either.
 */
export const maxProbes = 16;

/**
 * Maps short texts, such as member names and node types, to numbers by their bytes, without creating strings.
 *
 * Members usually have the same order in every object, so the successor of the previous text is compared before
 * anything is hashed.
 */
export class ByteMap {
  readonly #resolve: (text: string) => number;
  readonly #maxEntries: number;
  /** Open addressing: the entry number plus one, or 0 if the slot is empty. */
  readonly #slots: Int32Array;
  readonly #starts: Uint32Array;
  readonly #values: Int32Array;
  readonly #successors: Int32Array;
  #pool = new Uint8Array(1024);
  #entries = 0;
  #last = 0;

  /**
   * @param resolve returns the number of a text; must be deterministic, because only `maxEntries` texts are cached
   * @param maxEntries the maximum number of cached texts; a power of two
   */
  constructor(resolve: (text: string) => number, maxEntries: number) {
    this.#resolve = resolve;
    this.#maxEntries = maxEntries;
    this.#slots = new Int32Array(maxEntries * 2);
    this.#starts = new Uint32Array(maxEntries + 1);
    this.#values = new Int32Array(maxEntries);
    this.#successors = new Int32Array(maxEntries);
  }

  get(bytes: Uint8Array, start: number, end: number): number {
    const likely = this.#successors[this.#last]!;
    if (likely < this.#entries && this.#matches(likely, bytes, start, end)) {
      this.#last = likely;
      return this.#values[likely]!;
    }
    return this.#find(bytes, start, end);
  }

  #find(bytes: Uint8Array, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = textHash(bytes, start, end) & mask;
    let probes = 0;
    for (; this.#slots[slot]! > 0 && probes < maxProbes; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot]! - 1;
      if (this.#matches(entry, bytes, start, end)) return this.#follow(entry);
      probes++;
    }
    const value = this.#resolve(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start, end)));
    if (probes === maxProbes || this.#entries === this.#maxEntries) return value;
    const entry = this.#add(bytes, start, end, value);
    this.#slots[slot] = entry + 1;
    return this.#follow(entry);
  }

  #follow(entry: number): number {
    this.#successors[this.#last] = entry;
    this.#last = entry;
    return this.#values[entry]!;
  }

  #add(bytes: Uint8Array, start: number, end: number, value: number): number {
    const entry = this.#entries++;
    const from = this.#starts[entry]!;
    const to = from + (end - start);
    if (to > this.#pool.length) {
      const grown = new Uint8Array(Math.max(to, this.#pool.length * 2));
      grown.set(this.#pool);
      this.#pool = grown;
    }
    this.#pool.set(bytes.subarray(start, end), from);
    this.#starts[entry + 1] = to;
    this.#values[entry] = value;
    return entry;
  }

  #matches(entry: number, bytes: Uint8Array, start: number, end: number): boolean {
    let from = this.#starts[entry]!;
    if (this.#starts[entry + 1]! - from !== end - start) return false;
    const pool = this.#pool;
    for (let i = start; i < end; i++) if (pool[from++] !== bytes[i]) return false;
    return true;
  }
}

/** FNV-1a, mixed with a context. Source: Fowler, Noll, Vo. */
export function textHash(bytes: Uint8Array, start: number, end: number, context = 0): number {
  let value = 0x811c9dc5 ^ context;
  for (let i = start; i < end; i++) value = Math.imul(value ^ bytes[i]!, 0x01000193);
  return value ^ (value >>> 15);
}
