import type { FilteredPack } from '../filter/filtered-pack.ts';
import { counts } from '../filter/kept-tree.ts';
import { branchesOf } from '../filter/pack-branches.ts';
import { eachPiece, type Pause } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { noRow, type PackField } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { keywordScores } from '../score/keyword-scores.ts';
import { rowScores } from '../score/row-scores.ts';
import { type Score, scoreOfField } from '../score/score.ts';
import { monthOrder, takeSeason } from '../season/season.ts';
import { seasonOfField } from '../season/season-name.ts';
import { type RolledRows, rollUpsOf } from '../slice/rolled-rows.ts';
import { knownShare } from './known-share.ts';
import { knownVolumes } from './known-volumes.ts';
import { createNameOrder } from './name-order.ts';
import { pillarOf } from './pillars.ts';
import { fieldOf, markOf, type ShareFigure, type SortKey, type SortMark, shareOf } from './row-sort.ts';
import { sortRows } from './sort-rows.ts';
import { clustersOf } from './topics.ts';

/** What rows are compared by: a number, NaN for unknown. For texts, a number that stands for their order. */
export type RowValue = (row: number) => number;

/** The values of what is not in a pack. */
export type SortMarks = {
  /** Equal keys mean equal values. */
  readonly key: string;
  /** @param rows as for {@link rowValues} */
  valuesOf(mark: SortMark, rows: Uint32Array): Promise<RowValue>;
};

/**
 * The values of a sort key. Columns are read whole and cached with the pack.
 *
 * @param rows the rows that will be compared, for texts; ascending
 * @param marks needed for a key that is a mark
 * @throws RangeError if the pack has no such field, or its values are sets, which have no order; for marks that are missing
 */
export async function rowValues(
  pack: PackReader | FilteredPack,
  { by }: Pick<SortKey, 'by'>,
  rows: Uint32Array,
  pause: Pause,
  marks?: SortMarks,
): Promise<RowValue> {
  const mark = markOf(by);
  if (mark && !marks) throw new RangeError(`Nothing says what ${by} is`);
  if (mark) return marks!.valuesOf(mark, rows);
  const whole = 'kept' in pack ? pack.whole : pack;
  const share = shareOf(by);
  if (share) return shareValues(pack, share, pause);
  const field = fieldOf(by);
  // Slices call these metrics fields, too.
  if (field === 'competition' || field === 'position') return figureValues(pack, field, pause);
  const score = field === undefined ? undefined : scoreOfField(field);
  if (score) return scoreValues(pack, score, rows, pause);
  const season = field === undefined ? undefined : seasonOfField(field);
  if (season) return seasonValues(pack, season.newest, rows, pause);
  if (field !== undefined) return fieldValues(pack, field, pause);
  switch (by) {
    case 'name':
      return nameValues(whole, rows, pause);
    case 'type': {
      const [type, order] = [await whole.column('type'), await orderOfTexts(whole.metadata.types, pause)];
      return (row) => order[type[row]!]!;
    }
    case 'cluster': {
      const { of } = await clustersOf(whole, pause);
      return containerValues(whole, rows, of, pause);
    }
    case 'pillar': {
      const parent = await whole.column('parent');
      return containerValues(whole, rows, (row) => pillarOf(parent, row), pause);
    }
    case 'depth': {
      const depth = await whole.column('depth');
      return (row) => depth[row]!;
    }
    default:
      return figureValues(pack, by as Figure, pause);
  }
}

type Figure = 'keywords' | 'volume' | 'difficulty' | 'difficulty_weighted' | 'cpc' | 'competition' | 'position';

/** Whether a row is a keyword that counts. */
export async function countsOf(pack: PackReader | FilteredPack): Promise<(row: number) => boolean> {
  if ('kept' in pack) {
    const { fate } = pack.kept;
    return (row) => counts(fate[row]!);
  }
  const isKeyword = await pack.column('is_keyword');
  return (row) => isKeyword[row] === 1;
}

async function figureValues(pack: PackReader | FilteredPack, by: Figure, pause: Pause): Promise<RowValue> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const [{ starts }, ofBranch, isCounted] = [
    await branchesOf(whole, pause),
    await pack.column(by),
    await countsOf(pack),
  ];
  const own = await ownValues(whole, by);
  return (row) => {
    const branch = starts[row]!;
    if (branch !== starts[row + 1]) return ofBranch[branch]!;
    if (by === 'keywords') return isCounted(row) ? 1 : 0;
    return isCounted(row) ? own(row) : Number.NaN;
  };
}

async function ownValues(whole: PackReader, by: Figure): Promise<RowValue> {
  if (by === 'keywords') return () => 1;
  if (by !== 'difficulty_weighted') {
    const own = await whole.column(`own_${by}`);
    return own ? (row) => own[row]! : () => Number.NaN;
  }
  const [own, volume] = [await whole.column('own_difficulty'), await whole.column('own_volume')];
  return own && volume ? (row) => (volume[row]! > 0 ? own[row]! : Number.NaN) : () => Number.NaN;
}

async function shareValues(pack: PackReader | FilteredPack, of: ShareFigure, pause: Pause): Promise<RowValue> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const [{ starts }, isCounted, known, knownVolume] = [
    await branchesOf(whole, pause),
    await countsOf(pack),
    await pack.column(`${of}_known`),
    await knownVolumes(pack, of, pause),
  ];
  const [keywords, volume, volumeKnown, own] = [
    await pack.column('keywords'),
    await pack.column('volume'),
    await pack.column('volume_known'),
    await whole.column(`own_${of}`),
  ];
  return (row) => {
    const branch = starts[row]!;
    if (branch === starts[row + 1]) {
      if (!isCounted(row)) return Number.NaN;
      return own && (of === 'intent' ? own[row] !== 0 : !Number.isNaN(own[row])) ? 1 : 0;
    }
    return knownShare({
      keywords: keywords[branch]!,
      volume: volume[branch]!,
      volumeKnown: volumeKnown[branch]!,
      known: known[branch]!,
      knownVolume: knownVolume[branch]!,
    });
  };
}

async function fieldValues(pack: PackReader | FilteredPack, name: string, pause: Pause): Promise<RowValue> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const field = whole.metadata.fields.find((one) => one.name === name);
  if (!field || field.kind === 'set') throw new RangeError(`Nothing is sorted by ${name}`);
  const [{ starts }, isCounted, own] = [
    await branchesOf(whole, pause),
    await countsOf(pack),
    (await whole.column(`field:${name}`))!,
  ];
  const ofBranch = await branchValues(pack, field, pause);
  const order = field.kind === 'category' ? await orderOfTexts(field.values, pause) : undefined;
  return (row) => {
    const branch = starts[row]!;
    if (branch !== starts[row + 1]) return ofBranch(branch);
    if (!isCounted(row)) return Number.NaN;
    return order ? order[own[row]!]! : own[row]!;
  };
}

const noValue: RowValue = () => Number.NaN;

/** Rows without children have the score of their own figures, which is computed for all keywords at once. */
async function scoreValues(
  pack: PackReader | FilteredPack,
  score: Score,
  rows: Uint32Array,
  pause: Pause,
): Promise<RowValue> {
  const whole = 'kept' in pack ? pack.whole : pack;
  const [{ starts }, isCounted] = [await branchesOf(whole, pause), await countsOf(pack)];
  const hasChildren = (row: number) => starts[row] !== starts[row + 1];
  const branches = rows.filter(hasChildren);
  const ofBranch =
    branches.length === 0
      ? noValue
      : await inPieces(pack, branches, pause, (of, totals) => rowScores({ pack, rows: of, totals, pause }, score));
  // A list of clusters has none, and does not wait for the keywords.
  if (branches.length === rows.length) return ofBranch;
  const own = await keywordScores(whole, score.expression, pause);
  return (row) => (hasChildren(row) ? ofBranch(row) : isCounted(row) ? own[row]! : Number.NaN);
}

/** The number of rows whose figures are read at a time. */
const pieceRows = 2 ** 15;

/** Computed for all of the rows at once: 8 bytes per node. */
async function inPieces(
  pack: PackReader | FilteredPack,
  rows: Uint32Array,
  pause: Pause,
  find: (rows: Uint32Array, totals: RolledRows) => Promise<ArrayLike<number>>,
): Promise<RowValue> {
  const values = new Float64Array(pack.metadata.nodes).fill(Number.NaN);
  for (let from = 0; from < rows.length; from += pieceRows) {
    await pause();
    const piece = rows.subarray(from, from + pieceRows);
    const found = await find(piece, await rollUpsOf(pack, piece));
    for (const [at, row] of piece.entries()) values[row] = found[at]!;
  }
  return (row) => values[row]!;
}

/** The months in their order. @throws RangeError if the file has no trends */
async function seasonValues(
  pack: PackReader | FilteredPack,
  newest: string | undefined,
  rows: Uint32Array,
  pause: Pause,
): Promise<RowValue> {
  if (!pack.metadata.trend) throw new RangeError('Nothing is sorted by the peak month');
  return inPieces(pack, rows, pause, async (piece) => {
    const { value } = await takeSeason(pack, piece, newest, pause);
    return Float64Array.from(value, monthOrder);
  });
}

async function branchValues(
  pack: PackReader | FilteredPack,
  field: Exclude<PackField, { kind: 'set' }>,
  pause: Pause,
): Promise<RowValue> {
  const { name } = field;
  if (field.kind === 'category') {
    const [top, order] = [(await pack.column(`top:${name}`))!, await orderOfTexts(field.values, pause)];
    return (branch) => order[top[branch]!]!;
  }
  const [sum, known] = [(await pack.column(`sum:${name}`))!, (await pack.column(`known:${name}`))!];
  if (field.rollUp === 'sum') return (branch) => sum[branch]!;
  const means = field.role === 'weighed' ? await pack.column(`mean:${name}`) : undefined;
  return means ? (branch) => means[branch]! : (branch) => sum[branch]! / known[branch]!;
}

const collator = new Intl.Collator('en');

/** The place of each text among all, from A to Z, the same for equal ones; NaN for the empty one, which is unknown. */
async function orderOfTexts(texts: readonly string[], pause: Pause): Promise<Float64Array> {
  const compare = (one: number, other: number) => collator.compare(texts[one]!, texts[other]!);
  const sorted = await sortRows(Uint32Array.from(texts.keys()), compare, pause);
  const order = new Float64Array(texts.length);
  let place = 0;
  await eachPiece(sorted.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const text = sorted[at]!;
      if (at > 0 && compare(sorted[at - 1]!, text) !== 0) place = at;
      order[text] = texts[text] === '' ? Number.NaN : place;
    }
  });
  return order;
}

/** The order of the nodes that contain the rows. Usually there are few, at most as many as rows. */
async function containerValues(
  whole: PackReader,
  rows: Uint32Array,
  containerOf: (row: number) => number,
  pause: Pause,
): Promise<RowValue> {
  const isContainer = new Uint8Array(whole.metadata.nodes);
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const container = containerOf(rows[at]!);
      if (container !== noRow) isContainer[container] = 1;
    }
  });
  const containers: number[] = [];
  await eachPiece(isContainer.length, pause, (from, end) => {
    for (let row = from; row < end; row++) if (isContainer[row] === 1) containers.push(row);
  });
  const names: string[] = [];
  for (let from = 0; from < containers.length; from += pieceRows) {
    await pause();
    const some = Uint32Array.from(containers.slice(from, from + pieceRows));
    for (const name of await namesAt(whole, some)) names.push(name);
  }
  const order = await orderOfTexts(names, pause);
  const places = new Float64Array(whole.metadata.nodes).fill(Number.NaN);
  for (const [at, row] of containers.entries()) places[row] = order[at]!;
  return (row) => places[containerOf(row)] ?? Number.NaN;
}

/** The place of each row among all rows by name. */
async function nameValues(whole: PackReader, rows: Uint32Array, pause: Pause): Promise<RowValue> {
  const places = await createNameOrder(whole, rows, pause);
  return (row) => places.get(row);
}
