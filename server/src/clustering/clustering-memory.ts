/** More keywords than there is memory for. */
export class TooManyKeywords extends Error {
  /** In bytes. */
  readonly needed: number;

  constructor(needed: number) {
    super('Clustering these keywords needs more memory than there is');
    this.needed = needed;
  }
}

/**
 * @param allowed in bytes
 * @throws TooManyKeywords
 */
export function demandMemory(keywords: number, allowed: number): void {
  const needed = memoryOf(keywords);
  if (needed > allowed) throw new TooManyKeywords(needed);
}

/**
 * In bytes, as measured: the process with the language model, and what a keyword takes with its vectors, neighbours and
 * edges. Long lists have shorter vectors.
 */
const memoryOf = (keywords: number): number =>
  340 * 2 ** 20 + 4_200 * Math.min(keywords, 100_000) + 2_000 * Math.max(0, keywords - 100_000);
