import type { Known } from '../filter/filter.ts';
import { figuresFor } from '../format/figures.ts';
import { eachPiece, noPause, type Pause, pauseBetween } from '../format/in-pieces.ts';
import { namesAt } from '../format/names-at.ts';
import { oncePerPack } from '../format/once-per-pack.ts';
import { branchColumns, noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { rowScores } from '../score/row-scores.ts';
import { scoreOfField } from '../score/score.ts';
import { monthOrder, takeSeason } from '../season/season.ts';
import { seasonOfField } from '../season/season-name.ts';
import type { FilteredPack, View } from '../sums/filtered-pack.ts';
import { sumKnownVolumes } from '../sums/kept-columns.ts';
import { wholeTree } from '../sums/kept-tree.ts';
import { type RollUps, rollUpsOf, rollUpsOfMany } from '../sums/roll-ups.ts';
import { knownShare } from './known-share.ts';
import { type FinerKey, firstPlaces, type OrderKey, placesInOrder, sampleFor, sortRows } from './order.ts';
import { fieldOf, markOf, type ShareFigure, type SortMark, shareOf } from './row-sort.ts';
import { clustersOf, pillarOf } from './topics.ts';

/** The values of the keys that are not in a pack. */
export type SortMarks = {
  /** A cache key: equal keys mean equal values. */
  readonly key: string;
  /** Like {@link valuesOf}. */
  valuesOf(mark: SortMark, rows: Uint32Array): Promise<Float64Array>;
};

/**
 * A figure of some rows, in their order; of a branch, the total or mean over its kept keywords. NaN if unknown, and for a row
 * without children that is not a keyword that counts. For a text, numbers that sort the rows like the text.
 *
 * For many rows, columns are read whole and cached with the pack. `level-lists` caches the values of its lists.
 *
 * @param by a key of `row-sort`, or the name of a branch column
 * @param rows ascending
 * @param marks required if the key is a mark
 * @throws RangeError if there is no such figure or field, if the values of the field are sets, which have no order, or if `marks` is missing
 */
export async function valuesOf(
  view: View,
  by: string,
  rows: Uint32Array,
  pause: Pause,
  marks?: SortMarks,
): Promise<Float64Array> {
  const mark = markOf(by);
  if (mark && !marks) throw new RangeError(`Nothing says what ${by} is`);
  if (mark) return marks!.valuesOf(mark, rows);
  const { whole } = view;
  const share = shareOf(by);
  if (share) return shareValues(view, share, rows, pause);
  const field = fieldOf(by);
  if (field !== undefined) return fieldValues(view, field, rows, pause);
  switch (by) {
    case 'name':
      return nameValues(whole, rows, pause);
    case 'type': {
      const type = await whole.column('type');
      return mapped(rows, await orderOfTexts(whole.metadata.types, pause), (row) => type[row]!, pause);
    }
    case 'cluster': {
      const { of } = await clustersOf(whole, pause);
      return containerValues(whole, rows, of, pause);
    }
    case 'pillar': {
      const parent = await whole.column('parent');
      return containerValues(whole, rows, (row) => pillarOf(parent, row), pause);
    }
    case 'depth':
      return mapped(rows, undefined, await whole.column('depth'), pause);
    default: {
      const column = branchColumns.find(({ name }) => name === by);
      if (!column) throw new RangeError(`No figure ${by}`);
      return rolledUp(view, rows, pause, (totals) => totals.column(column.name));
    }
  }
}

/** If the rows are fewer than this part of all nodes, their values are gathered; otherwise, columns are read whole and cached with the pack. */
const gatheredPart = 1 / 32;
/** The number of rows whose figures are read at a time, so that they stay in the processor cache. */
const pieceRows = 2 ** 15;

/** Computes values from the roll-ups of the rows, piece by piece. @param read may write the values to `into` and return it */
export async function rolledUp(
  view: View,
  rows: Uint32Array,
  pause: Pause,
  read: (totals: RollUps, piece: Uint32Array, into: Float64Array) => Promise<ArrayLike<number>>,
): Promise<Float64Array> {
  const isMany = rows.length >= gatheredPart * view.metadata.nodes;
  const values = new Float64Array(rows.length);
  for (let from = 0; from < rows.length; from += pieceRows) {
    if (from > 0) await pause();
    const piece = rows.subarray(from, from + pieceRows);
    const totals = await (isMany ? rollUpsOfMany(view, piece) : rollUpsOf(view, piece));
    const into = values.subarray(from, from + piece.length);
    const found = await read(totals, piece, into);
    if (found !== into) into.set(found);
  }
  return values;
}

async function shareValues(view: View, of: ShareFigure, rows: Uint32Array, pause: Pause): Promise<Float64Array> {
  return rolledUp(view, rows, pause, async (totals, piece) => {
    const { column } = totals;
    const [keywords, volume, volumeKnown, known, knownVolume] = [
      await column('keywords'),
      await column('volume'),
      await column('volume_known'),
      await column(`${of}_known`),
      await knownVolumesAt(view, of, piece, totals, pause),
    ];
    const figuresAt = (at: number) => ({
      keywords: keywords[at]!,
      volume: volume[at]!,
      volumeKnown: volumeKnown[at]!,
      known: known[at]!,
      knownVolume: knownVolume[at]!,
    });
    return Float64Array.from(piece, (_, at) => knownShare(figuresAt(at)));
  });
}

async function fieldValues(view: View, name: string, rows: Uint32Array, pause: Pause): Promise<Float64Array> {
  // Slices call some figures fields, too.
  const figure = figuresFor('field').find((one) => one === name);
  if (figure) return rolledUp(view, rows, pause, ({ column }) => column(figure));
  const score = scoreOfField(name);
  if (score) {
    return rolledUp(view, rows, pause, (totals, piece, into) =>
      rowScores({ pack: view, rows: piece, totals, pause }, score, into),
    );
  }
  const season = seasonOfField(name);
  if (season) return seasonValues(view, season.newest, rows, pause);
  const field = view.metadata.fields.find((one) => one.name === name);
  if (!field || field.kind === 'set') throw new RangeError(`Nothing is sorted by ${name}`);
  const values = await rolledUp(view, rows, pause, async (totals) => (await totals.field(field)).value);
  return field.kind === 'number' ? values : mapped(values, await orderOfTexts(field.values, pause), undefined, pause);
}

/** The peak months as numbers in calendar order. @throws RangeError if the file has no trends */
async function seasonValues(
  view: View,
  newest: string | undefined,
  rows: Uint32Array,
  pause: Pause,
): Promise<Float64Array> {
  if (!view.metadata.trend) throw new RangeError('Nothing is sorted by the peak month');
  return rolledUp(view, rows, pause, async (_, piece) =>
    Float64Array.from((await takeSeason(view, piece, newest, pause)).value, monthOrder),
  );
}

/** Looks up each number: in `placeOf`, if given, and the result in `table`, if given; NaN for a place that the table does not have. */
async function mapped(
  numbers: Uint32Array | Float64Array,
  table: ArrayLike<number> | undefined,
  placeOf: ((number: number) => number) | ArrayLike<number> | undefined,
  pause: Pause,
): Promise<Float64Array> {
  const values = new Float64Array(numbers.length);
  const at = typeof placeOf === 'function' ? placeOf : (number: number) => (placeOf ? placeOf[number]! : number);
  await eachPiece(numbers.length, pause, (from, end) => {
    for (let nth = from; nth < end; nth++) {
      const place = at(numbers[nth]!);
      values[nth] = table ? (table[place] ?? Number.NaN) : place;
    }
  });
  return values;
}

async function nameValues(whole: PackReader, rows: Uint32Array, pause: Pause): Promise<Float64Array> {
  const { compare, keys } = await namesOf(whole);
  return placesOfTexts(rows, compare, pause, await keys(rows, false, pause));
}

const collator = new Intl.Collator('en');

/** The rank of each text in alphabetical order, the same for equal ones; NaN for the empty text, which means unknown. */
async function orderOfTexts(texts: readonly string[], pause: Pause): Promise<Float64Array> {
  const compare = (one: number, other: number) => collator.compare(texts[one]!, texts[other]!);
  const order = await placesOfTexts(Uint32Array.from(texts.keys()), compare, pause);
  return order.map((place, at) => (texts[at] === '' ? Number.NaN : place));
}

/** Comparisons between two pauses: a few milliseconds. */
const comparedAtATime = 2 ** 13;

/**
 * The rank of each of some numbers in the order of a comparison, the same for equal ones.
 *
 * @param keys numeric keys that agree with the comparison, so that it is only needed for ties between them
 */
async function placesOfTexts(
  numbers: Uint32Array,
  compare: (one: number, other: number) => number,
  pause: Pause,
  keys: readonly OrderKey[] = [],
): Promise<Float64Array> {
  const order = keys.length > 0 ? await placesInOrder(keys, pause) : numbers.map((_, at) => at);
  const isTied = (one: number, other: number) => {
    for (const { values } of keys) if (values[one] !== values[other]) return false;
    return true;
  };
  const compareAt = (one: number, other: number) => compare(numbers[one]!, numbers[other]!);
  const between = pauseBetween(pause);
  for (let from = 0, end = 0; from < order.length; from = end) {
    for (end = from + 1; end < order.length && isTied(order[from]!, order[end]!); ) end++;
    const run = order.subarray(from, end);
    if (run.length > comparedAtATime) run.set(await sortRows(run, compareAt, pause));
    else if (run.length > 1) run.sort(compareAt);
    // Most runs are short: a promise for each would take longer than the comparisons.
    const waiting = between(8 * run.length);
    if (waiting) await waiting;
  }
  const values = new Float64Array(numbers.length);
  let place = 0;
  for (let from = 0; from < order.length; from += comparedAtATime) {
    await pause();
    for (let at = from; at < Math.min(order.length, from + comparedAtATime); at++) {
      if (at > 0 && compareAt(order[at - 1]!, order[at]!) !== 0) place = at;
      values[order[at]!] = place;
    }
  }
  return values;
}

/** For each row, the rank of its container's name among those of all containers. Usually these are few. */
async function containerValues(
  whole: PackReader,
  rows: Uint32Array,
  containerOf: (row: number) => number,
  pause: Pause,
): Promise<Float64Array> {
  const places = new Float64Array(whole.metadata.nodes).fill(Number.NaN);
  await eachPiece(rows.length, pause, (from, end) => {
    for (let at = from; at < end; at++) {
      const container = containerOf(rows[at]!);
      if (container !== noRow) places[container] = 0;
    }
  });
  const containers: number[] = [];
  await eachPiece(places.length, pause, (from, end) => {
    for (let row = from; row < end; row++) if (places[row] === 0) containers.push(row);
  });
  const names: string[] = [];
  for (let from = 0; from < containers.length; from += pieceRows) {
    await pause();
    const some = Uint32Array.from(containers.slice(from, from + pieceRows));
    for (const name of await namesAt(whole, some)) names.push(name);
  }
  const order = await orderOfTexts(names, pause);
  for (const [at, row] of containers.entries()) places[row] = order[at]!;
  return mapped(rows, places, containerOf, pause);
}

/** The order of the names of a pack: by code point, ignoring case and accents. */
type NameOrder = {
  /** Compares the names of two rows. */
  compare(one: number, other: number): number;
  /** All rows whose names can be among the first `count`, and usually few others, in the order in which they are given. */
  rowsUpTo(rows: Uint32Array, count: number, descending: boolean, pause: Pause): Promise<Uint32Array>;
  /** Sort keys for the names of some rows: numbers for their first 18 bytes, which decide for most names, then a comparison. */
  keys(rows: Uint32Array, descending: boolean, pause: Pause): Promise<readonly FinerKey[]>;
};

/** Names between two pauses: a millisecond, or a few before the loop over their bytes is compiled. */
const namesAtATime = 2 ** 14;
/** A double represents integers of 53 bits exactly. */
const bytesPerNumber = 6;
const numbersPerName = 3;

/** Six bytes as one number, big-endian. Computes with 32-bit integers as far as possible, because these are faster. */
const sixBytes = (bytes: Uint8Array, at: number): number =>
  ((bytes[at]! << 16) | (bytes[at + 1]! << 8) | bytes[at + 2]!) * 2 ** 24 +
  ((bytes[at + 3]! << 16) | (bytes[at + 4]! << 8) | bytes[at + 5]!);

function compareBytes(bytes: Uint8Array, from: number, end: number, bound: Uint8Array): number {
  const shared = Math.min(bound.length, end - from);
  for (let at = 0; at < shared; at++) {
    const difference = bytes[from + at]! - bound[at]!;
    if (difference !== 0) return difference;
  }
  return end - from - bound.length;
}

/** Like {@link sixBytes}, for a text that may have fewer bytes: missing ones are 0. */
function beginningOf(bytes: Uint8Array, from: number, end: number): number {
  let number = 0;
  for (let byte = 0; byte < bytesPerNumber; byte++)
    number = 256 * number + (from + byte < end ? bytes[from + byte]! : 0);
  return number;
}

/**
 * Compares the bytes of UTF-8, which have the order of the code points. Decoding ten million names to strings would take minutes.
 *
 * Cost: the bytes of all names are read whole and cached with the pack.
 */
export async function namesOf(pack: PackReader): Promise<NameOrder> {
  const [folded, names] = [await pack.column('folded'), await pack.texts('name')];
  // Names that equal their fold have no second text.
  const folds = folded.at(-1)! > 0 ? await pack.texts('fold') : names;
  const compare = (one: number, other: number) => {
    const isOneFolded = folded[one] !== folded[one + 1];
    const isOtherFolded = folded[other] !== folded[other + 1];
    const [a, b] = [isOneFolded ? folds : names, isOtherFolded ? folds : names];
    const [atA, atB] = [isOneFolded ? folded[one]! : one, isOtherFolded ? folded[other]! : other];
    const [endA, endB] = [a.start[atA + 1]!, b.start[atB + 1]!];
    let [i, j] = [a.start[atA]!, b.start[atB]!];
    for (; i < endA && j < endB; i++, j++) {
      const difference = a.bytes[i]! - b.bytes[j]!;
      if (difference !== 0) return difference;
    }
    return endA - i - (endB - j);
  };
  /** Six bytes of each name as a number. @param skip the number of bytes before them */
  const beginnings = async (rows: Uint32Array, pause: Pause, skip = 0) => {
    const numbers = new Float64Array(rows.length);
    for (let from = 0; from < rows.length; from += namesAtATime) {
      await pause();
      const end = Math.min(rows.length, from + namesAtATime);
      for (let at = from; at < end; at++) {
        const row = rows[at]!;
        const isFolded = folded[row] !== folded[row + 1];
        const { start, bytes } = isFolded ? folds : names;
        const text = isFolded ? folded[row]! : row;
        const [first, last] = [start[text]! + skip, start[text + 1]!];
        numbers[at] = last - first < bytesPerNumber ? beginningOf(bytes, first, last) : sixBytes(bytes, first);
      }
    }
    return numbers;
  };
  const bytesOf = (row: number): Uint8Array => {
    const isFolded = folded[row] !== folded[row + 1];
    const { start, bytes } = isFolded ? folds : names;
    const text = isFolded ? folded[row]! : row;
    return bytes.subarray(start[text]!, start[text + 1]!);
  };
  const takeUpTo = (bound: Uint8Array, direction: 1 | -1, rows: Uint32Array, found: number[]) => {
    const beginning = beginningOf(bound, 0, bound.length);
    for (const row of rows) {
      const isFolded = folded[row] !== folded[row + 1];
      const { start, bytes } = isFolded ? folds : names;
      const text = isFolded ? folded[row]! : row;
      const [from, end] = [start[text]!, start[text + 1]!];
      const own = end - from < bytesPerNumber ? beginningOf(bytes, from, end) : sixBytes(bytes, from);
      if (direction * (own - beginning) > 0) continue;
      if (own !== beginning || direction * compareBytes(bytes, from, end, bound) <= 0) found.push(row);
    }
  };
  const keys = async (rows: Uint32Array, descending: boolean, pause: Pause): Promise<readonly FinerKey[]> => {
    const found: FinerKey[] = [];
    for (let nth = 0; nth < numbersPerName; nth++)
      found.push({ values: await beginnings(rows, pause, nth * bytesPerNumber), descending });
    const compareEqual = (one: number, other: number) => compare(rows[one]!, rows[other]!);
    return [...found.slice(0, -1), { ...found.at(-1)!, compareEqual }];
  };
  return {
    compare,
    keys,
    async rowsUpTo(rows, count, descending, pause) {
      const sampled = sampleFor(rows.length, count);
      if (!sampled) return rows;
      const { step } = sampled;
      const sample = Uint32Array.from({ length: Math.floor(rows.length / step) }, (_, nth) => rows[nth * step]!);
      const ofSample = await keys(sample, descending, pause);
      for (let { rank } = sampled; rank <= sample.length; rank *= 4) {
        const bound = bytesOf(sample[(await firstPlaces(ofSample, rank, pause)).at(-1)!]!);
        const found: number[] = [];
        for (let from = 0; from < rows.length; from += namesAtATime) {
          await pause();
          takeUpTo(bound, descending ? -1 : 1, rows.subarray(from, from + namesAtATime), found);
        }
        if (found.length >= count) return Uint32Array.from(found);
      }
      return rows;
    },
  };
}

/**
 * By branch: the sum of the known volumes of those distinct keywords for which a figure is known, see `known-share`.
 *
 * Not a column of a pack: computed on first use, and cached by the open pack (or by the filtered one) and the figure, 8
 * bytes per branch.
 * Cost: for a figure, one pass over the keywords; for the first figure of a pack, one more over its nodes.
 */
export async function knownVolumes(
  pack: PackReader | FilteredPack,
  of: Known,
  pause: Pause = noPause,
): Promise<Float64Array> {
  if ('kept' in pack) return pack.knownVolumes(of);
  return ofPack(pack, { of, pause });
}

const ofPack = oncePerPack(
  async (pack: PackReader, { of, pause }: { readonly of: Known; readonly pause: Pause }) =>
    sumKnownVolumes(await wholeTree(pack, pause), of, pause),
  { nameOf: ({ of }) => of, sizeOf: ({ byteLength }) => byteLength },
);

/** {@link knownVolumes} of some rows, including rows without children, from their roll-ups. */
export async function knownVolumesAt(
  pack: View,
  of: ShareFigure,
  rows: Uint32Array,
  { column }: RollUps,
  pause: Pause,
): Promise<Float64Array> {
  const [branches, volume, known] = [await pack.branchesOf(rows), await column('volume'), await column(`${of}_known`)];
  const hasBranches = branches.some((branch) => branch !== noRow);
  const ofBranches = hasBranches ? await knownVolumes(pack, of, pause) : [];
  return Float64Array.from(branches, (branch, at) => {
    if (branch !== noRow) return ofBranches[branch]!;
    return known[at]! > 0 ? volume[at]! || 0 : 0;
  });
}
