import type { ByteSource } from '../format/byte-source.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { entryRanges } from '../format/merged-ranges.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { addPosition, mergedPosition, noPositions, type Positions } from '../upload/merged-position.ts';
import { fold, isUnknown } from '../upload/spelling.ts';
import { flat, mayHaveUrls, numberOf, preferred, type Said, urlOf } from './entry-url.ts';
import { type OriginalMembers, readMembers } from './original.ts';

/** The details of a keyword's entries that are not merged into one figure. Same shape as in the HTTP contract. */
export type MergedEntries = {
  /** The number of entries, including the first one. */
  entries: number;
  /** The number of entries whose URLs were read: the first ones in the file. */
  read: number;
  /** Each URL once, best position first, unknown positions last. */
  urls: RankedUrl[];
};

type RankedUrl = {
  url: string;
  /** As `mergedPosition` has it; absent if no entry has a position. */
  position?: number;
  /** The number of entries with this URL. */
  entries: number;
};

/** Further entries of one keyword are counted but not read. The limit covers a year of daily entries for two URLs. */
const maxRead = 1000;
const readAtOnce = 32;

/** Undefined for a keyword with one entry, and for a row that is not a keyword. @param pack without a filter */
export async function mergedEntriesOf(
  pack: PackReader,
  row: number,
  original: ByteSource,
  pause: Pause = noPause,
): Promise<MergedEntries | undefined> {
  const [ranges] = await entryRanges(pack, Uint32Array.of(row), pause);
  if (ranges!.length < 2) return undefined;
  const wanted = ranges!.slice(0, maxRead);
  const urls = new Map<string, Ranking>();
  for (let from = 0; from < wanted.length; from += readAtOnce) {
    const some = wanted.slice(from, from + readAtOnce);
    for (const members of await Promise.all(some.map((range) => readMembers(original, [range]))))
      addEntry(urls, members, urlOf);
  }
  return { entries: ranges!.length, read: wanted.length, urls: mayHaveUrls(pack) ? ranked(urls) : [] };
}

/** The best-ranked value of a member in the entries of one keyword; undefined if none has it. @param name as in the file */
export function bestRanked(entries: readonly (OriginalMembers | undefined)[], name: string): string | undefined {
  const spelling = fold(name);
  const values = new Map<string, Ranking>();
  for (const members of entries) addEntry(values, members, (said) => textOf(said, (other) => fold(other) === spelling));
  return ranked(values)[0]?.url;
}

/** Best position first. */
function ranked(urls: ReadonlyMap<string, Ranking>): RankedUrl[] {
  const listed = Array.from(urls, ([url, positions]) => rankedUrl(url, positions));
  const rank = ({ position }: RankedUrl) => position ?? Number.POSITIVE_INFINITY;
  // Infinity minus itself is NaN, which `|| 0` turns into a tie, so the file order stays.
  return listed.sort((one, other) => rank(one) - rank(other) || 0);
}

function textOf(said: Said, isWanted: (name: string) => boolean): string | undefined {
  const text = said.find(([name, value]) => isWanted(name) && typeof value === 'string')?.[1];
  return typeof text === 'string' && !isUnknown(text.trim()) ? text.trim() : undefined;
}

type Ranking = { entries: number; readonly positions: Positions };

function addEntry(
  urls: Map<string, Ranking>,
  members: OriginalMembers | undefined,
  find: (said: Said) => string | undefined,
): void {
  const said = members && flat(members);
  const url = said && find(said);
  if (url === undefined) return;
  const found = urls.get(url) ?? { entries: 0, positions: noPositions() };
  urls.set(url, found);
  found.entries++;
  const position = numberOf(preferred(said!, 'position'));
  if (position >= 1) addPosition(found.positions, position, numberOf(preferred(said!, 'impressions')));
}

function rankedUrl(url: string, { entries, positions }: Ranking): RankedUrl {
  const position = mergedPosition(positions);
  return Number.isNaN(position) ? { url, entries } : { url, position, entries };
}
