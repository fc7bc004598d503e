import { isUrlName } from '@kc/pack/detail/entry-url';
import { addressesOf, unlistedAddresses } from '@kc/pack/detail/row-addresses';
import type { ByteSource } from '@kc/pack/format/byte-source';
import type { Pause } from '@kc/pack/format/in-pieces';
import { namesOf } from '@kc/pack/format/names-at';
import { noRow } from '@kc/pack/format/pack-format';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { figuresOfRows, type RowFigures } from '@kc/pack/handover/handover';
import { type Handover, type HandoverLine, isSameKeyword } from './handover-lines.ts';

/** A keyword of an entry. */
export type KeywordLine = {
  readonly row: number;
  readonly name: string;
  readonly isPrimary: boolean;
  readonly figures: RowFigures;
};

const blockRows = 512;

/**
 * The keywords of an entry, heaviest first, in blocks.
 *
 * @param primary the primary keyword of the entry @param top only so many
 */
export async function* keywordLines(
  { pack, figures, keywords, pause }: Handover,
  index: number,
  primary: string,
  top: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly KeywordLine[]> {
  const all = keywords.of(index).subarray(0, top);
  for (let from = 0; from < all.length; from += blockRows) {
    await pause();
    const rows = all.slice(from, from + blockRows);
    const nameOf = await namesOf(pack, rows);
    const ofRows = await figuresOfRows(figures, rows, undefined, pause);
    yield Array.from(rows, (row, at) => {
      const name = nameOf(row);
      return { row, name, isPrimary: isSameKeyword(name, primary), figures: ofRows[at]! };
    });
  }
}

/** The longest text of a cell for supporting keywords. Excel's own limit is 32,767. */
const maxSupportingLength = 32_000;

/**
 * The supporting keywords of an entry as one text, heaviest first; the last of very many are only counted.
 *
 * @param more the end of a text that does not have all of them
 */
export async function supportingText(
  { pack, keywords }: Handover,
  { index, primary }: HandoverLine,
  separator: string,
  more: (count: string) => string,
): Promise<string> {
  const all = keywords.of(index);
  let text = '';
  let remaining = all.length;
  for (let from = 0; from < all.length; from += blockRows) {
    const rows = all.subarray(from, from + blockRows);
    for (const name of Array.from(rows, await namesOf(pack, rows))) {
      remaining--;
      if (isSameKeyword(name, primary)) continue;
      const next = text === '' ? name : `${text}${separator}${name}`;
      if (next.length > maxSupportingLength) {
        const isListed = await hasName(pack, all.subarray(all.length - remaining), primary);
        const count = remaining + 1 - Number(isListed);
        return `${text}${text === '' ? '' : separator}${more(count.toLocaleString('en-US'))}`;
      }
      text = next;
    }
  }
  return text;
}

/** Whether the primary keyword is among the keywords that were not listed. */
async function hasName(pack: PackReader, rows: Uint32Array, name: string): Promise<boolean> {
  for (let from = 0; from < rows.length; from += blockRows) {
    const some = rows.subarray(from, from + blockRows);
    const nameOf = await namesOf(pack, some);
    if (some.some((row) => isSameKeyword(nameOf(row), name))) return true;
  }
  return false;
}

/** Whether the keywords of a file can have a URL. */
export const hasUrls = (pack: PackReader): boolean => unlistedAddresses(pack).length > 0 || listedUrls(pack).length > 0;

const listedUrls = ({ metadata }: PackReader) =>
  metadata.fields.flatMap((field) => (field.kind === 'category' && isUrlName(field.name) ? [field] : []));

/** The URL of each of some keywords; undefined where the file has none. */
export async function urlsOf(
  pack: PackReader,
  rows: readonly number[],
  original: ByteSource,
  pause: Pause,
): Promise<(row: number) => string | undefined> {
  const rising = Uint32Array.from(new Set(rows)).sort();
  const found = new Map<number, string>();
  for (const { name, values } of listedUrls(pack)) {
    const of = (await pack.gather(`field:${name}`, rising)) as ArrayLike<number>;
    for (const [at, row] of rising.entries()) {
      const url = values[of[at]!] ?? '';
      if (url !== '' && !found.has(row)) found.set(row, url);
    }
  }
  const names = unlistedAddresses(pack);
  if (names.length > 0) {
    const branches = await pack.branchesOf(rising);
    const leaves = rising.filter((_, at) => branches[at] === noRow);
    for (const [at, urls] of (await addressesOf(pack, leaves, names, original, pause)).entries()) {
      const url = urls.find((one) => one !== undefined && one.trim() !== '');
      if (url !== undefined && !found.has(leaves[at]!)) found.set(leaves[at]!, url.trim());
    }
  }
  return (row) => found.get(row);
}
