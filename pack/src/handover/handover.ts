import { intents } from '../format/figures.ts';
import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import { inherit } from '../format/locate.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { type IntentShare, intentShares } from '../levels/known-share.ts';
import { isClusterType } from '../levels/level.ts';
import { countsOf, keywordChildren } from '../levels/level-rows.ts';
import { valuesOf } from '../levels/row-values.ts';
import { clustersOf, type Topics } from '../levels/topics.ts';
import { growthOf } from '../match/growth.ts';
import { type Score, writeScore } from '../score/score.ts';
import { scoreFieldName } from '../score/score-name.ts';
import { branchesOf, loadRepeatColumns } from '../sums/branches.ts';
import type { View } from '../sums/filtered-pack.ts';
import { rollUpsOf } from '../sums/roll-ups.ts';

/** The figures of a row as the table shows them. Undefined is unknown. */
export type RowFigures = {
  readonly keywords: number;
  readonly volume: number | undefined;
  /** The number of keywords with a known volume. */
  readonly volumeKnown: number;
  readonly difficulty: number | undefined;
  /** The known share of the difficulty, 0 to 1. */
  readonly difficultyKnown: number | undefined;
  readonly cpc: number | undefined;
  readonly position: number | undefined;
  /** Empty if none is known. */
  readonly intents: readonly IntentShare[];
  /** The number of keywords with a known intent. */
  readonly intentKnown: number;
  readonly score: number | undefined;
  /** Only for keywords without children. */
  readonly growth: number | undefined;
};

/**
 * The figures of some rows, in their order: of a branch, those of its kept keywords.
 *
 * @param score undefined for none
 */
export async function figuresOfRows(
  pack: View,
  wanted: Uint32Array,
  score: Score | undefined,
  pause: Pause = noPause,
): Promise<RowFigures[]> {
  const { whole } = pack;
  const rows = Uint32Array.from(new Set(wanted)).sort();
  const totals = await rollUpsOf(pack, rows);
  const [children, keywords, volume, difficulty, cpc, position] = [
    await totals.column('child_count'),
    await totals.column('keywords'),
    await totals.column('volume'),
    await totals.column('difficulty'),
    await totals.column('cpc'),
    await totals.column('position'),
  ];
  const [known, intentKnown, volumeKnown] = [
    await valuesOf(pack, 'known:difficulty', rows, pause),
    await totals.column('intent_known'),
    await totals.column('volume_known'),
  ];
  const ofIntents = await Promise.all(intents.map((name) => totals.column(name)));
  const scores = score && (await valuesOf(pack, `field:${scoreFieldName(writeScore(score))}`, rows, pause));
  const growth = await growthOf(whole, { pause });
  const figures = Array.from(rows, (row, at): RowFigures => {
    const isBranch = children[at]! > 0;
    return {
      keywords: keywords[at]!,
      volume: knownNumber(volume[at]!),
      volumeKnown: volumeKnown[at]!,
      difficulty: shortNumber(difficulty[at]!, isBranch),
      difficultyKnown: difficultyKnown(known[at]!, keywords[at]!),
      cpc: shortNumber(cpc[at]!, isBranch),
      position: shortNumber(position[at]!, isBranch),
      intents: intentShares(
        ofIntents.map((counts) => counts[at]!),
        intentKnown[at]!,
      ),
      intentKnown: intentKnown[at]!,
      score: scores && knownNumber(scores[at]!),
      growth: growth && !isBranch ? knownNumber(growth[row]!) : undefined,
    };
  });
  const places = new Map(Array.from(rows, (row, at) => [row, at]));
  return Array.from(wanted, (row) => figures[places.get(row)!]!);
}

const knownNumber = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value);

/** Removes digits that are rounding errors: 32-bit floats have seven significant digits, their means six. */
const shortNumber = (value: number, isMean: boolean): number | undefined =>
  Number.isNaN(value) ? undefined : Number(value.toPrecision(isMean ? 6 : 7));

const difficultyKnown = (share: number, keywords: number): number | undefined =>
  keywords === 0 ? undefined : knownNumber(Number(share.toPrecision(7)));

/** The place of an entry in the hierarchy, as rows of the pack; {@link noRow} for none. */
export type EntryPlace = {
  readonly row: number;
  /** The rows from below the root to the entry, including it. */
  readonly way: readonly number[];
  readonly pillar: number;
  /** The cluster that the entry is, or is in. A branch above clusters is in none. */
  readonly cluster: number;
};

/** The places of some entries, depth first: each entry before those below it, siblings in pack order, which is heaviest first. */
export async function entryPlaces(pack: View, entries: Uint32Array, pause: Pause = noPause): Promise<EntryPlace[]> {
  const { whole } = pack;
  const [parent, clusters, clusterAt] = [
    await whole.column('parent'),
    await clustersOf(whole, pause),
    await clusterFinder(whole, pause),
  ];
  const places = Array.from(entries, (row): EntryPlace => {
    const way: number[] = [];
    for (let at = row; at > 0; at = parent[at]!) way.push(at);
    way.reverse();
    return { row, way, pillar: way[0] ?? noRow, cluster: clusterAt(clusters, row) };
  });
  return places.sort(byWay);
}

const byWay = (one: EntryPlace, other: EntryPlace): number => {
  const common = Math.min(one.way.length, other.way.length);
  for (let level = 0; level < common; level++) {
    if (one.way[level] !== other.way[level]) return one.way[level]! - other.way[level]!;
  }
  return one.way.length - other.way.length;
};

async function clusterFinder(pack: PackReader, pause: Pause): Promise<(clusters: Topics, row: number) => number> {
  const branches = await branchesOf(pack, pause);
  const [type, hasKeyword] = [await pack.column('type'), await keywordChildren(pack, branches)];
  const isCluster = pack.metadata.types.map(isClusterType);
  const { starts } = branches;
  return ({ of, ofChildren }, row) => {
    const branch = starts[row]!;
    if (branch === starts[row + 1]) return of(row);
    const own = ofChildren[branch]!;
    return own !== row || isCluster[type[row]!] || hasKeyword(branch) ? own : noRow;
  };
}

/** The keywords of some entries, by the index of the entry. */
export interface KeywordsOfEntries {
  /** Heaviest first, unknown volumes last; ties are in pack order. Must not be modified. */
  of(entry: number): Uint32Array;
  /** The number of keywords of an entry. */
  count(entry: number): number;
  /** The number of keywords of all entries. */
  readonly total: number;
}

/**
 * Assigns each distinct keyword to one entry: to the nearest one at or above it. If a keyword occurs several times, the occurrence that is
 * nearest to its entry decides, on a tie the first one in the file. Keywords that are in no entry are left out.
 *
 * Cost: two passes over the nodes and one over the repeats; 12 bytes per node.
 *
 * @param entries the rows of the entries, each once
 */
export async function keywordsOfEntries(
  pack: View,
  entries: Uint32Array,
  pause: Pause = noPause,
): Promise<KeywordsOfEntries> {
  const { whole } = pack;
  const { nodes } = whole.metadata;
  const [isCounted, depth, volume] = [
    await countsOf(pack),
    await whole.column('depth'),
    await whole.column('own_volume'),
  ];
  /** By row: the index of its entry plus 1; 0 for none. */
  const nearest = new Uint32Array(nodes);
  for (const [index, row] of entries.entries()) nearest[row] = index + 1;
  await inherit(whole, nearest, pause);
  const distance = (row: number) => depth[row]! - depth[entries[nearest[row]! - 1]!]!;
  const isLeftOut = await fartherPlaces(whole, (row) => isCounted(row) && nearest[row] !== 0, distance, pause);
  const starts = new Uint32Array(entries.length + 1);
  const belongs = (row: number) => nearest[row] !== 0 && isCounted(row) && isLeftOut[row] === 0;
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (belongs(row)) starts[nearest[row]!]! += 1;
  });
  for (let index = 0; index < entries.length; index++) starts[index + 1]! += starts[index]!;
  const rows = new Uint32Array(starts[entries.length]!);
  const next = starts.slice();
  await eachPiece(nodes, pause, (from, end) => {
    for (let row = from; row < end; row++) if (belongs(row)) rows[next[nearest[row]! - 1]!++] = row;
  });
  const weigh = (row: number) => {
    const own = volume ? volume[row]! : Number.NaN;
    return Number.isNaN(own) ? -1 : own;
  };
  const isSorted = new Uint8Array(entries.length);
  return {
    total: rows.length,
    count: (entry) => starts[entry + 1]! - starts[entry]!,
    of(entry) {
      const own = rows.subarray(starts[entry], starts[entry + 1]);
      if (isSorted[entry] === 0) own.sort((one, other) => weigh(other) - weigh(one) || one - other);
      isSorted[entry] = 1;
      return own;
    },
  };
}

/** 1 for each row that `counts` but is not the best such occurrence of its keyword. */
async function fartherPlaces(
  pack: PackReader,
  counts: (row: number) => boolean,
  distance: (row: number) => number,
  pause: Pause,
): Promise<Uint8Array> {
  const isLeftOut = new Uint8Array(pack.metadata.nodes);
  const { rows, previous, at } = await loadRepeatColumns(pack, pause);
  /** By index of a repeat: 1 if it is the last occurrence of its keyword. */
  const last = new Uint8Array(rows.length).fill(1);
  for (let index = 0; index < rows.length; index++) if (at[index]! >= 0) last[at[index]!] = 0;
  await eachPiece(rows.length, pause, (from, end) => {
    for (let index = from; index < end; index++) {
      if (last[index] === 0) continue;
      // From the last occurrence, the chain of previous ones reaches all others of the keyword once.
      let best = -1;
      // Occurrences are visited from the last in the file to the first, so that the first one wins a tie.
      const visit = (row: number): void => {
        if (!counts(row)) return;
        const isBetter = best >= 0 && distance(row) <= distance(best);
        if (best >= 0) isLeftOut[isBetter ? best : row] = 1;
        if (best < 0 || isBetter) best = row;
      };
      for (let next = index; next >= 0; next = at[next]!) {
        visit(rows[next]!);
        if (at[next]! < 0) visit(previous[next]!);
      }
    }
  });
  return isLeftOut;
}
