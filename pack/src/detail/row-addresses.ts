import type { ByteSource } from '../format/byte-source.ts';
import type { Pause } from '../format/in-pieces.ts';
import { entryRanges } from '../format/merged-ranges.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { isUrlName } from './entry-url.ts';
import { bestRanked } from './merged-entries.ts';
import { membersOf, type OriginalMembers, rangesOf } from './original.ts';
import type { Range } from './original-ranges.ts';

/** Longer objects are not read. */
const maxObjectBytes = 1024 * 1024;
/** Ranges with at most this many bytes between them are read at once. */
const gapBytes = 4096;
/** Further entries of one keyword are not read. */
const maxEntries = 1000;

/** The names of URL fields with too many values for a column of the pack. Their values are read from the original. */
export const unlistedAddresses = ({ metadata }: PackReader): readonly string[] =>
  metadata.withheld.map(({ name }) => name).filter(isUrlName);

/**
 * The values of some text members of keywords, read from the original: the value of the node itself or, if it has none, that of its
 * best-ranked entry, which the details list first.
 *
 * Cost: reads the entries of the keywords from the file; entries that are close to each other in one read.
 *
 * @param rows nodes without children, in ascending order
 * @param names the members
 * @returns for each row, a value for each name
 */
export async function addressesOf(
  pack: PackReader,
  rows: Uint32Array,
  names: readonly string[],
  original: ByteSource,
  pause: Pause,
): Promise<(string | undefined)[][]> {
  const entries = await entryRanges(pack, rows, pause);
  const own = await rangesOf(pack, rows, 'node');
  const members = await readObjects(original, [...own, ...entries.flatMap((ranges) => ranges.slice(0, maxEntries))]);
  return Array.from(rows, (_, at) => {
    const ofEntries = entries[at]!.slice(0, maxEntries).map((range) => members.get(range.start));
    return names.map((name) => bestRanked([members.get(own[at]!.start)], name) ?? bestRanked(ofEntries, name));
  });
}

/** The objects in some ranges of the file, by where they start. Values that are no objects, or are too long, are left out. */
async function readObjects(original: ByteSource, ranges: readonly Range[]): Promise<Map<number, OriginalMembers>> {
  const wanted = ranges.filter(({ start, end }) => end > start && end - start <= maxObjectBytes);
  const found = new Map<number, OriginalMembers>();
  const runs: Range[][] = [];
  for (const range of wanted.sort((one, other) => one.start - other.start)) {
    const run = runs.at(-1);
    const isNear = run && range.start - run.at(-1)!.end <= gapBytes && range.end - run[0]!.start <= maxObjectBytes;
    if (isNear) run.push(range);
    else runs.push([range]);
  }
  for (const run of runs) {
    const from = run[0]!.start;
    const end = run.reduce((last, range) => Math.max(last, range.end), 0);
    const bytes = await original.read(from, end - from);
    for (const range of run) {
      const part = bytes.subarray(range.start - from, range.end - from);
      const members = part[0] === 0x7b ? membersOf([part]) : undefined;
      if (members) found.set(range.start, members);
    }
  }
  return found;
}
