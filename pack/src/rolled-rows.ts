import {
  type BranchColumn,
  branchColumns,
  type NumberArray,
  noRow,
  numberKinds,
  type PackField,
} from './pack-format.ts';
import type { RowSource } from './pack-reader.ts';
import type { SliceField } from './slice.ts';

/**
 * What some rows add up to: a row with children has its branch's columns, any other is by itself what it adds up to.
 */
export interface RolledRows {
  column<C extends BranchColumn>(name: C): Promise<NumberArray<C>>;
  field(field: PackField): Promise<SliceField>;
}

/** Bits of `own_intent`. */
const intentBits = { informational: 1, navigational: 2, commercial: 4, transactional: 8 } as const;

/** @param rows rising for speed */
export async function rollUpsOf(pack: RowSource, rows: Uint32Array): Promise<RolledRows> {
  const branch = await pack.branchesOf(rows);
  const places: number[] = [];
  for (let index = 0; index < rows.length; index++) if (branch[index] !== noRow) places.push(index);
  const branches = Uint32Array.from(places, (index) => branch[index]!);
  const single = singleRows(pack, rows);
  return {
    async column<C extends BranchColumn>(name: C) {
      const values = newColumn(name, rows.length);
      const of = await single(name);
      for (let index = 0; index < rows.length; index++) values[index] = of(index);
      const ofBranches = (await pack.gather(name, branches)) as ArrayLike<number>;
      for (let index = 0; index < places.length; index++) values[places[index]!] = ofBranches[index]!;
      return values as NumberArray<C>;
    },
    field: (field) => rollUpField(pack, rows, { places, branches }, field),
  };
}

/** Where among some rows those with children are, and their branches. */
type Inner = { readonly places: readonly number[]; readonly branches: Uint32Array };

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
    for (const [at, index] of places.entries()) {
      known[index] = knownBelow[at]!;
      value[index] = field.rollUp === 'sum' ? sum[at]! : sum[at]! / knownBelow[at]!;
    }
    return { name, kind: 'number', rollUp: field.rollUp, value, known };
  }
  const value = new Uint8Array(rows.length);
  const count = new Uint32Array(rows.length);
  for (let index = 0; index < rows.length; index++) {
    if (isKeyword[index] === 0 || own[index] === 0) continue;
    value[index] = own[index]!;
    count[index] = known[index] = 1;
  }
  const top = (await pack.gather(`top:${name}`, branches))!;
  const topCount = (await pack.gather(`top_count:${name}`, branches))!;
  for (const [at, index] of places.entries()) {
    value[index] = top[at]!;
    count[index] = topCount[at]!;
    known[index] = knownBelow[at]!;
  }
  return { name, kind: 'category', values: field.values, value, count, known };
}

function newColumn(name: BranchColumn, length: number) {
  const { kind } = branchColumns.find((column) => column.name === name)!;
  return new numberKinds[kind].array(length);
}

/** The columns of a branch for rows with nothing below them, by index. Source: docs/pack-format.md "What is a keyword". */
function singleRows(pack: RowSource, rows: Uint32Array) {
  const gathered = new Map<string, Promise<ArrayLike<number> | undefined>>();
  const own = (
    name: 'is_keyword' | `own_${'volume' | 'difficulty' | 'cpc' | 'competition' | 'position' | 'intent'}`,
  ) => {
    const found = gathered.get(name) ?? pack.gather(name, rows);
    gathered.set(name, found);
    return found;
  };
  const constant = (value: number) => () => value;

  /** A metric of keywords, unknown for any other row. */
  async function metric(name: 'volume' | 'difficulty' | 'cpc' | 'competition' | 'position') {
    const isKeyword = (await own('is_keyword'))!;
    const values = await own(`own_${name}`);
    return values ? (index: number) => (isKeyword[index] === 1 ? values[index]! : Number.NaN) : constant(Number.NaN);
  }

  async function isKnown(name: Parameters<typeof metric>[0]) {
    const of = await metric(name);
    return (index: number) => Number(!Number.isNaN(of(index)));
  }

  /** The mean of one value is that value, unless it weighs nothing. */
  async function weighted(name: 'difficulty' | 'cpc') {
    const of = await metric(name);
    const volume = await metric('volume');
    return (index: number) => (volume(index) > 0 ? of(index) : Number.NaN);
  }

  async function hasIntent(bits: number) {
    const isKeyword = (await own('is_keyword'))!;
    const intent = await own('own_intent');
    return intent ? (index: number) => Number(isKeyword[index] === 1 && (intent[index]! & bits) !== 0) : constant(0);
  }

  return async (name: BranchColumn): Promise<(index: number) => number> => {
    switch (name) {
      case 'first_child':
        return constant(noRow);
      case 'leaves':
      case 'nodes':
        return (index) => Number(rows[index]! < pack.metadata.nodes);
      case 'keywords': {
        const isKeyword = (await own('is_keyword'))!;
        return (index) => isKeyword[index]!;
      }
      case 'volume':
      case 'difficulty':
      case 'cpc':
      case 'competition':
      case 'position':
        return metric(name);
      case 'volume_known':
        return isKnown('volume');
      case 'difficulty_known':
        return isKnown('difficulty');
      case 'cpc_known':
        return isKnown('cpc');
      case 'competition_known':
        return isKnown('competition');
      case 'position_known':
        return isKnown('position');
      case 'difficulty_weighted':
        return weighted('difficulty');
      case 'cpc_weighted':
        return weighted('cpc');
      case 'informational':
      case 'navigational':
      case 'commercial':
      case 'transactional':
        return hasIntent(intentBits[name]);
      case 'intent_known':
        return hasIntent(15);
      case 'top_keyword': {
        const volume = await metric('volume');
        return (index) => (Number.isNaN(volume(index)) || rows[index]! >= pack.metadata.nodes ? noRow : rows[index]!);
      }
      case 'child_count':
      case 'repeats':
      case 'child_keywords':
      case 'child_volume':
        return constant(0);
    }
  };
}
