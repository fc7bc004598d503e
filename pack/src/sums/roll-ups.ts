import { type FigureFor, figureOfKnown, figuresFor, intentIn, intents as intentNames } from '../format/figures.ts';
import {
  type BranchColumn,
  branchColumns,
  type NumberArray,
  noRow,
  numberKinds,
  type PackField,
} from '../format/pack-format.ts';
import type { RowSource } from '../format/pack-reader.ts';
import type { SliceField } from '../slice/slice.ts';
import { addMember, hasMembers } from '../upload/member-sets.ts';

/** The totals of some rows: those of the branch for a row with children; any other row is its own total. */
export interface RollUps {
  column<C extends BranchColumn>(name: C): Promise<NumberArray<C>>;
  field(field: PackField): Promise<SliceField>;
}

/** @param rows fastest in ascending order */
export async function rollUpsOf(pack: RowSource, rows: Uint32Array): Promise<RollUps> {
  const inner = innerOf(await pack.branchesOf(rows));
  const single = singleRows(pack, rows);
  return {
    async column<C extends BranchColumn>(name: C) {
      const values = await single(name);
      const { places, branches } = inner;
      if (places.length > 0) spread(values, places, (await pack.gather(name, branches)) as ArrayLike<number>);
      return values as NumberArray<C>;
    },
    field: (field) => rollUpField(pack, rows, inner, field),
  };
}

/** The indexes of the rows with children, and their branches. */
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

const metrics = figuresFor('filter');
type Values = Uint32Array | Float32Array | Float64Array;

function spread(values: Values, places: Uint32Array, ofPlaces: ArrayLike<number>): void {
  for (let index = 0; index < places.length; index++) values[places[index]!] = ofPlaces[index]!;
}

async function rollUpField(pack: RowSource, rows: Uint32Array, inner: Inner, field: PackField): Promise<SliceField> {
  const { places, branches } = inner;
  const { name } = field;
  const own = (await pack.gather(`field:${name}`, rows))!;
  const isKeyword = await pack.gather('is_keyword', rows);
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

/** Sets a set to one member; none for 0. */
function setMember(sets: Uint32Array, row: number, member: number): void {
  sets.fill(0, 2 * row, 2 * row + 2);
  if (member > 0) addMember(sets, row, member);
}

function newColumn(name: BranchColumn, length: number): Values {
  const { kind } = branchColumns.find((column) => column.name === name)!;
  return new numberKinds[kind].array(length);
}

/**
 * What a branch column has for rows without descendants. For rows with some, anything: that is overwritten.
 * Source: docs/pack-format.md "What is a keyword".
 */
function singleRows(pack: RowSource, rows: Uint32Array): (name: BranchColumn) => Promise<Values> {
  const gathered = new Map<string, Promise<unknown>>();
  const own = <T>(name: string, gather: () => Promise<T>): Promise<T> => {
    const found = (gathered.get(name) as Promise<T> | undefined) ?? gather();
    gathered.set(name, found);
    return found;
  };
  const keywords = () => own('is_keyword', () => pack.gather('is_keyword', rows));
  const intents = () => own('own_intent', () => pack.gather('own_intent', rows));
  /** The values of keywords, unknown for other rows; undefined if none is known. */
  const metric = (name: FigureFor<'filter'>) =>
    own(name, async () => {
      const values = await pack.gather(`own_${name}`, rows);
      const isKeyword = await keywords();
      if (values)
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
    const [isKeyword, intent] = [await keywords(), await intents()];
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
        values.set(await keywords());
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
