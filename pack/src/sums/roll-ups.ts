import { type FigureFor, figureOfKnown, figuresFor, intentIn, intents as intentNames } from '../format/figures.ts';
import {
  type BranchColumn,
  branchColumns,
  type NumberArray,
  type NumberColumn,
  noRow,
  numberKinds,
  type PackField,
} from '../format/pack-format.ts';
import type { RowSource } from '../format/pack-reader.ts';
import type { SliceField } from '../slice/slice.ts';
import { addMember, hasMembers } from '../upload/member-sets.ts';
import type { View } from './filtered-pack.ts';

/** The totals of some rows. A row with children has those of its branch; for any other row, they are its own values. */
export interface RollUps {
  /** The values of a branch column. Must not be modified: the array may be a part of a column of the pack. */
  column<C extends BranchColumn>(name: C): Promise<NumberArray<C>>;
  field(field: PackField): Promise<SliceField>;
  /** The indices of the rows without keywords. */
  empty(): Promise<readonly number[]>;
}

/** Where the roll-ups of some rows come from. */
type Source = {
  readonly pack: RowSource;
  readonly rows: Uint32Array;
  readonly inner: Inner;
  /** 1 for a row that is a keyword that counts, and whether all rows are. */
  readonly isKeyword: Uint8Array;
  readonly areKeywords: boolean;
  /** The own values of the rows, in their order. */
  own<C extends NumberColumn>(name: C): Promise<NumberArray<C> | undefined>;
  /** Whether `own` returns parts of the pack's columns instead of copies. If so, no row has children. */
  readonly isShared: boolean;
};

/** @param rows fastest in ascending order */
export async function rollUpsOf(pack: RowSource, rows: Uint32Array): Promise<RollUps> {
  const own = <C extends NumberColumn>(name: C) => pack.gather(name, rows) as Promise<NumberArray<C> | undefined>;
  const [branches, isKeyword] = [await pack.branchesOf(rows), await pack.gather('is_keyword', rows)];
  return rollUpsIn({ pack, rows, inner: innerOf(branches), ...keywordsIn(isKeyword), own, isShared: false });
}

/** {@link rollUpsOf} for many rows: columns are read whole and cached with the pack. Contiguous rows without children need no copy. */
export async function rollUpsOfMany(pack: View, rows: Uint32Array): Promise<RollUps> {
  const { whole } = pack;
  const starts = await whole.column('branch');
  const [first, end] = [rows[0]!, rows[0]! + rows.length];
  const isShared = isRun(rows) && starts[first] === starts[end];
  const own = async <C extends NumberColumn>(name: C) => {
    const column: NumberArray<C> | undefined = await whole.column(name);
    if (!column || !isShared || (name === 'is_keyword' && 'kept' in pack))
      return pack.gather(name, rows) as Promise<NumberArray<C> | undefined>;
    const perRow = Math.round(column.length / whole.rows);
    return column.subarray(perRow * first, perRow * end) as NumberArray<C>;
  };
  const inner = isShared ? noInner : innerAmong(rows, starts);
  return rollUpsIn({ pack, rows, inner, ...keywordsIn((await own('is_keyword'))!), own, isShared });
}

/** Whether rows are contiguous, as most keywords of a map are. */
function isRun(rows: Uint32Array): boolean {
  let at = 0;
  for (const first = rows[0]!; at < rows.length && rows[at] === first + at; ) at++;
  return at === rows.length;
}

const keywordsIn = (isKeyword: Uint8Array) => ({ isKeyword, areKeywords: !isKeyword.includes(0) });

function rollUpsIn(source: Source): RollUps {
  const { pack, inner } = source;
  const single = singleRows(source);
  const column = async <C extends BranchColumn>(name: C) => {
    const values = await single(name);
    const { places, branches } = inner;
    if (places.length > 0) spread(values, places, (await pack.gather(name, branches)) as ArrayLike<number>);
    return values as NumberArray<C>;
  };
  return {
    column,
    field: (field) => rollUpField(source, field),
    async empty() {
      if (inner.places.length === 0 && source.areKeywords) return [];
      return placesOf(0, await column('keywords'));
    },
  };
}

function placesOf(number: number, numbers: Uint32Array): number[] {
  const places: number[] = [];
  for (let at = 0; at < numbers.length; at++) if (numbers[at] === number) places.push(at);
  return places;
}

/** The indices of the rows with children, and their branches. */
type Inner = { readonly places: Uint32Array; readonly branches: Uint32Array };

/** @param branch the branch of each row, {@link noRow} for one without children */
function innerOf(branch: Uint32Array): Inner {
  let count = 0;
  for (let index = 0; index < branch.length; index++) if (branch[index] !== noRow) count++;
  const places = new Uint32Array(count);
  const branches = new Uint32Array(count);
  for (let index = 0, next = 0; index < branch.length; index++) {
    if (branch[index] === noRow) continue;
    places[next] = index;
    branches[next++] = branch[index]!;
  }
  return { places, branches };
}

/** {@link innerOf} from the column `branch`. */
function innerAmong(rows: Uint32Array, starts: Uint32Array): Inner {
  let count = 0;
  for (let index = 0; index < rows.length; index++) if (starts[rows[index]!] !== starts[rows[index]! + 1]) count++;
  if (count === 0) return noInner;
  const places = new Uint32Array(count);
  for (let index = 0, next = 0; next < count; index++)
    if (starts[rows[index]!] !== starts[rows[index]! + 1]) places[next++] = index;
  return { places, branches: places.map((place) => starts[rows[place]!]!) };
}

const noInner: Inner = { places: new Uint32Array(0), branches: new Uint32Array(0) };

const metrics = figuresFor('filter');
type Values = Uint32Array | Float32Array | Float64Array;

function spread(values: Values, places: Uint32Array, ofPlaces: ArrayLike<number>): void {
  for (let index = 0; index < places.length; index++) values[places[index]!] = ofPlaces[index]!;
}

async function rollUpField({ pack, rows, inner, isKeyword, own: read }: Source, field: PackField): Promise<SliceField> {
  const { places, branches } = inner;
  const { name } = field;
  const own = (await read(`field:${name}`))!;
  const knownBelow = (await pack.gather(`known:${name}`, branches))!;
  const known = new Uint32Array(rows.length);
  if (field.kind === 'number') {
    const value = new Float64Array(rows.length).fill(Number.NaN);
    for (let index = 0; index < rows.length; index++) {
      if (isKeyword[index] === 0 || Number.isNaN(own[index])) continue;
      value[index] = own[index]!;
      known[index] = 1;
    }
    const sum = (await pack.gather(`sum:${name}`, branches))!;
    const means = field.role === 'weighed' ? await pack.gather(`mean:${name}`, branches) : undefined;
    for (const [at, index] of places.entries()) {
      known[index] = knownBelow[at]!;
      if (field.rollUp === 'own' && !Number.isNaN(own[index])) value[index] = own[index]!;
      else value[index] = field.rollUp === 'sum' ? sum[at]! : (means?.[at] ?? sum[at]! / knownBelow[at]!);
    }
    return { name, kind: 'number', rollUp: field.rollUp, value, known };
  }
  const isSet = field.kind === 'set';
  const value = isSet ? new Uint32Array(2 * rows.length) : new Uint8Array(rows.length);
  const count = new Uint32Array(rows.length);
  const isKnown = isSet ? (at: number) => hasMembers(own as Uint32Array, at) : (at: number) => own[at] !== 0;
  const numbers = isSet ? 2 : 1;
  for (let index = 0; index < rows.length; index++) {
    if (isKeyword[index] === 0 || !isKnown(index)) continue;
    for (let at = numbers * index; at < numbers * (index + 1); at++) value[at] = own[at]!;
    count[index] = known[index] = 1;
  }
  const top = (await pack.gather(`top:${name}`, branches))!;
  const topCount = (await pack.gather(`top_count:${name}`, branches))!;
  for (const [at, index] of places.entries()) {
    if (value instanceof Uint8Array) value[index] = top[at]!;
    else setMember(value, index, top[at]!);
    count[index] = topCount[at]!;
    known[index] = knownBelow[at]!;
  }
  if (value instanceof Uint8Array) return { name, kind: 'category', values: field.values, value, count, known };
  return { name, kind: 'set', values: field.values, value, count, known };
}

/** Replaces a set by one member; by the empty set for member 0. */
function setMember(sets: Uint32Array, row: number, member: number): void {
  sets.fill(0, 2 * row, 2 * row + 2);
  if (member > 0) addMember(sets, row, member);
}

function newColumn(name: BranchColumn, length: number): Values {
  const { kind } = branchColumns.find((column) => column.name === name)!;
  return new numberKinds[kind].array(length);
}

/**
 * The values that a branch column would have for rows without children. Rows with children get arbitrary values, which the caller overwrites.
 * Source: docs/pack-format.md "What is a keyword".
 */
function singleRows({
  pack,
  rows,
  isKeyword,
  areKeywords,
  own: read,
  isShared,
}: Source): (name: BranchColumn) => Promise<Values> {
  const found = new Map<string, Promise<unknown>>();
  const own = <T>(name: string, make: () => Promise<T>): Promise<T> => {
    const one = (found.get(name) as Promise<T> | undefined) ?? make();
    found.set(name, one);
    return one;
  };
  const intents = () => own('own_intent', () => read('own_intent'));
  /** The values of keywords, unknown for other rows; undefined if none is known. */
  const metric = (name: FigureFor<'filter'>) =>
    own(name, async () => {
      const of = await read(`own_${name}`);
      if (!of || areKeywords) return of;
      const values = isShared ? of.slice() : of;
      for (let index = 0; index < rows.length; index++) if (isKeyword[index] === 0) values[index] = Number.NaN;
      return values;
    });

  /** The mean of a single value is that value, unless its weight is zero. */
  async function fillWeighted(values: Values, name: 'difficulty' | 'cpc') {
    const [of, volume] = [await metric(name), await metric('volume')];
    for (let index = 0; index < rows.length; index++) {
      values[index] = of && volume && volume[index]! > 0 ? of[index]! : Number.NaN;
    }
  }

  async function fillIntent(values: Values, bits: number) {
    const intent = await intents();
    if (!intent) return;
    for (let index = 0; index < rows.length; index++) {
      values[index] = isKeyword[index] === 1 && (intent[index]! & bits) !== 0 ? 1 : 0;
    }
  }

  async function fillTop(values: Values) {
    const volume = await metric('volume');
    for (let index = 0; index < rows.length; index++) {
      const isKnown = volume && !Number.isNaN(volume[index]) && rows[index]! < pack.metadata.nodes;
      values[index] = isKnown ? rows[index]! : noRow;
    }
  }

  async function fill(values: Values, name: BranchColumn) {
    const [ofKnown, intent] = [figureOfKnown(name), intentIn(name)];
    if (ofKnown) return markKnown(values, await metric(ofKnown));
    if (intent >= 0) return fillIntent(values, 1 << intent);
    switch (name) {
      case 'first_child':
        values.fill(noRow);
        return;
      case 'leaves':
      case 'nodes':
        for (let index = 0; index < rows.length; index++) values[index] = rows[index]! < pack.metadata.nodes ? 1 : 0;
        return;
      case 'keywords':
        values.set(isKeyword);
        return;
      case 'difficulty_weighted':
        return fillWeighted(values, 'difficulty');
      case 'cpc_weighted':
        return fillWeighted(values, 'cpc');
      case 'intent_known':
        return fillIntent(values, 2 ** intentNames.length - 1);
      case 'top_keyword':
        return fillTop(values);
      case 'child_count':
      case 'position_weighed':
      case 'repeats':
      case 'child_keywords':
      case 'child_volume':
        return;
    }
  }

  return async (name) => {
    const ofFigure = metrics.find((one) => one === name);
    const known = ofFigure && (await metric(ofFigure));
    if (known) return known;
    const values = newColumn(name, rows.length);
    if (ofFigure) values.fill(Number.NaN);
    else await fill(values, name);
    return values;
  };
}

function markKnown(values: Values, of: Float32Array | Float64Array | undefined): void {
  if (of) for (let index = 0; index < values.length; index++) values[index] = Number.isNaN(of[index]) ? 0 : 1;
}
