import type { ByteSource } from '../format/byte-source.ts';
import { noPause, type Pause } from '../format/in-pieces.ts';
import { entryRanges } from '../format/merged-ranges.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { nestedFields } from '../upload/fields.ts';
import { addPosition, mergedPosition, noPositions, type Positions } from '../upload/merged-position.ts';
import { fold, isUnknown } from '../upload/spelling.ts';
import { type EntryRank, entryRank, entryUrl, mayHaveUrls } from './entry-url.ts';
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
    for (const members of await Promise.all(some.map((range) => readMembers(original, [range])))) {
      const found = members && entryUrl(members);
      if (found) addEntry(urls, found.url, found);
    }
  }
  return { entries: ranges!.length, read: wanted.length, urls: mayHaveUrls(pack) ? ranked(urls) : [] };
}

/** The best-ranked value of a member in the entries of one keyword; undefined if none has it. @param name as in the file */
export function bestRanked(entries: readonly (OriginalMembers | undefined)[], name: string): string | undefined {
  const spelling = fold(name);
  const values = new Map<string, Ranking>();
  for (const members of entries) {
    const text = members && textOf(members, spelling);
    if (text !== undefined) addEntry(values, text, entryRank(members!));
  }
  return ranked(values)[0]?.url;
}

/** Best position first. */
function ranked(urls: ReadonlyMap<string, Ranking>): RankedUrl[] {
  const listed = Array.from(urls, ([url, positions]) => rankedUrl(url, positions));
  const rank = ({ position }: RankedUrl) => position ?? Number.POSITIVE_INFINITY;
  // Infinity minus itself is NaN, which `|| 0` turns into a tie, so the file order stays.
  return listed.sort((one, other) => rank(one) - rank(other) || 0);
}

function textOf(members: OriginalMembers, spelling: string): string | undefined {
  const text = flattened(members).find(([name, value]) => fold(name) === spelling && typeof value === 'string')?.[1];
  return typeof text === 'string' && !isUnknown(text.trim()) ? text.trim() : undefined;
}

/** The members of an entry, with those of nested objects that count as its own. */
function flattened(members: OriginalMembers): (readonly [name: string, value: unknown])[] {
  return Object.entries(members).flatMap(([name, value]) => {
    const isInner = nestedFields.has(name) && typeof value === 'object' && value !== null;
    return isInner ? flattened(value as OriginalMembers) : [[name, value] as const];
  });
}

type Ranking = { entries: number; readonly positions: Positions };

function addEntry(rankings: Map<string, Ranking>, value: string, { position, impressions }: EntryRank): void {
  const found = rankings.get(value) ?? { entries: 0, positions: noPositions() };
  rankings.set(value, found);
  found.entries++;
  if (!Number.isNaN(position)) addPosition(found.positions, position, impressions);
}

function rankedUrl(url: string, { entries, positions }: Ranking): RankedUrl {
  const position = mergedPosition(positions);
  return Number.isNaN(position) ? { url, entries } : { url, position, entries };
}
