import { listKeywords } from '../detail/list-keywords.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { halfSipHash } from '../names/half-sip-hash.ts';
import { formatAddress } from '../names/path-hash.ts';
import { TextKey } from '../names/text-key.ts';

/** The number of keywords by which a branch is recognised in another upload: its heaviest ones. */
export const fingerprintKeywords = 200;

/**
 * Hashes of keywords: 16 hex digits, equal for texts that are the same keyword. Neither secret nor keyed, because they
 * are stored and compared with those of later uploads.
 */
export class KeywordHash {
  readonly #key = new TextKey();
  readonly #out = new Uint32Array(2);

  /** The two words of a keyword's hash, low half first, valid until the next call. */
  words(names: Uint8Array, start: number, end: number): Uint32Array {
    const length = this.#key.write(names, start, end);
    halfSipHash(0x706c616e, 0, this.#key.buffer.view, 0, length, this.#out, 0);
    return this.#out;
  }

  text(names: Uint8Array, start: number, end: number): string {
    const [low, high] = this.words(names, start, end);
    return formatAddress(high!, low!);
  }
}

/** The hashes of a node's heaviest keywords, ascending and without duplicates. Of a keyword, its own. */
export async function fingerprintOf(pack: PackReader, row: number): Promise<string[]> {
  const { rows } = await listKeywords(pack, row, fingerprintKeywords);
  const { start, bytes } = await pack.gatherTexts('name', rows.toSorted());
  const hash = new KeywordHash();
  const found = new Set<string>();
  for (let at = 0; at < rows.length; at++) found.add(hash.text(bytes, start[at]!, start[at + 1]!));
  return [...found].sort();
}
