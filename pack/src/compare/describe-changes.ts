import { noPause, type Pause } from '../format/in-pieces.ts';
import { namesOf } from '../format/names-at.ts';
import { noRow } from '../format/pack-format.ts';
import { formatAddress } from '../names/path-hash.ts';
import { markFields } from '../slice/mark-fields.ts';
import type { CategoryField, NumberField, SliceField } from '../slice/slice.ts';
import type { View } from '../sums/filtered-pack.ts';
import type { ChangeName } from '../vocabulary/changes.ts';
import type { ChangedRow } from './change-lists.ts';
import { type Changes, type ComparedFigure, figureBefore, figureOf, type Gone } from './changes.ts';

/** The figures of a node on one side; an unknown one is absent. Same shape as in the HTTP contract. */
export type ChangedFigures = { keywords: number; volume?: number; difficulty?: number; position?: number };

/** A node of a list of changes. Same shape as in the HTTP contract. */
export type ChangedNode = {
  changes: ChangeName[];
  name: string;
  /** The names from below the root to its parent: those of the later upload, or of the earlier one for a gone node. */
  path: string[];
  /** Its row in the later upload; absent for a gone node. */
  node?: number;
  /** Its node ID, 16 hex digits: that of the earlier upload for a gone node. */
  address: string;
  /** Of a moved or renamed node: the names from below the root to itself in the earlier upload. */
  from?: string[];
  before?: ChangedFigures;
  after?: ChangedFigures;
};

/** Cost: reads the rows and those above them. */
export async function describeChanges(changes: Changes, rows: readonly ChangedRow[]): Promise<ChangedNode[]> {
  const { match, after, before } = changes.compared;
  const rowsNow = rows.flatMap(({ row, isGone }) => (isGone ? [] : [row]));
  const rowsThen = rows.flatMap(({ row, isGone }) => {
    if (isGone) return [row];
    return match.before[row] === noRow ? [] : [match.before[row]!];
  });
  const [now, then] = [await readPlaces(after, rowsNow), await readPlaces(before, rowsThen)];
  const [figures, figuresThen] = [await figuresOf(after, rowsNow), await figuresOf(before, rowsThen)];
  return rows.map(({ row, isGone }) => {
    if (isGone) {
      return { changes: ['gone'], ...placeOf(then, row), before: figuresThen.get(row)! };
    }
    const names = [...changes.namesAt(row)];
    const rowBefore = match.before[row]!;
    const isElsewhere = names.includes('moved') || names.includes('renamed');
    return {
      changes: names,
      ...placeOf(now, row),
      node: row,
      after: figures.get(row)!,
      ...(rowBefore !== noRow && { before: figuresThen.get(rowBefore)! }),
      ...(isElsewhere && { from: then.pathOf(rowBefore) }),
    };
  });
}

type Places = { pathOf(row: number): string[]; addressOf(row: number): string };

async function readPlaces(pack: View, rows: readonly number[]): Promise<Places> {
  const parent = await pack.column('parent');
  const all = new Set<number>();
  for (const row of rows) for (let at = row; at > 0 && !all.has(at); at = parent[at]!) all.add(at);
  for (const row of rows) all.add(row);
  const nameOf = await namesOf(pack, all);
  const halves = await pack.column('address');
  return {
    pathOf(row) {
      const path: string[] = [];
      for (let at = row; at > 0; at = parent[at]!) path.unshift(nameOf(at));
      return row === 0 ? [nameOf(0)] : path;
    },
    addressOf: (row) => formatAddress(halves[2 * row + 1]!, halves[2 * row]!),
  };
}

function placeOf({ pathOf, addressOf }: Places, row: number) {
  const path = pathOf(row);
  return { name: path.at(-1)!, path: path.slice(0, -1), address: addressOf(row) };
}

async function figuresOf(pack: View, rows: readonly number[]): Promise<ReadonlyMap<number, ChangedFigures>> {
  const some = Uint32Array.from(new Set(rows)).sort();
  const values = async (of: ComparedFigure) => figureOf(pack, of, some, noPause);
  const keywords = await values('keywords');
  const others = {
    volume: await values('volume'),
    difficulty: await values('difficulty'),
    position: await values('position'),
  };
  const known = (at: number) =>
    Object.entries(others).flatMap(([of, { [at]: value }]) => (Number.isNaN(value) ? [] : [[of, value]]));
  return new Map(Array.from(some, (row, at) => [row, { keywords: keywords[at]!, ...Object.fromEntries(known(at)) }]));
}

/** The values of the field `change`. */
export const changeKindValues = ['', 'same', 'new', 'moved', 'renamed'] as const;

/** Every field for some rows of the later upload. `known` is 1 where the value is known. */
export async function takeChangeFields(
  changes: Changes,
  rows: Uint32Array,
  pause: Pause = noPause,
): Promise<SliceField[]> {
  const { compared } = changes;
  const gone = await changes.gone();
  const kind: CategoryField = {
    name: markFields.change,
    kind: 'category',
    values: changeKindValues,
    value: Uint8Array.from(rows, (row) => compared.match.kind[row]! + 1),
    count: new Uint32Array(rows.length).fill(1),
    known: new Uint32Array(rows.length).fill(1),
  };
  const before = (of: ComparedFigure) => figureBefore(compared, of, rows, pause);
  const lost = (of: keyof Gone) => Float64Array.from(rows, (row) => gone.get(row)?.[of] ?? 0);
  return [
    kind,
    numbers(markFields.keywordsBefore, 'sum', await before('keywords')),
    numbers(markFields.volumeBefore, 'sum', await before('volume')),
    numbers(markFields.volumeChange, 'sum', await changeValues(changes, 'volume_change', rows, pause)),
    numbers(markFields.difficultyBefore, 'mean', await before('difficulty')),
    numbers(markFields.positionBefore, 'mean', await before('position')),
    numbers(markFields.goneNodes, 'sum', lost('nodes')),
    numbers(markFields.goneKeywords, 'sum', lost('keywords')),
    numbers(markFields.goneVolume, 'sum', lost('volume')),
    numbers(markFields.goneKeywordsBelow, 'sum', lost('keywordsBelow')),
    numbers(markFields.goneVolumeBelow, 'sum', lost('volumeBelow')),
  ];
}

/** The keys of a comparison that rows can be sorted by. `change` is unknown for rows that were neither added, moved nor renamed. */
type ChangeKey = 'change' | 'volume_before' | 'volume_change' | 'volume_percent';

/** The values of rows of the later upload; NaN where they are unknown. Kinds are ordered by their names. */
export async function changeValues(
  { compared }: Changes,
  by: ChangeKey,
  rows: Uint32Array,
  pause: Pause = noPause,
): Promise<Float64Array> {
  if (by === 'change') return Float64Array.from(rows, (row) => kindOrder[compared.match.kind[row]!]!);
  const before = await figureBefore(compared, 'volume', rows, pause);
  if (by === 'volume_before') return before;
  const now = await figureOf(compared.after, 'volume', rows, pause);
  if (by === 'volume_change') return now.map((volume, at) => volume - before[at]!);
  return now.map((volume, at) => (before[at] === 0 ? Number.NaN : (volume - before[at]!) / before[at]!));
}

/** The sort order of kinds by their names, in the order of `matchKinds`: same, new, moved, renamed. */
const kindOrder = [Number.NaN, 1, 0, 2] as const;

function numbers(name: string, rollUp: 'sum' | 'mean', value: Float64Array): NumberField {
  return { name, kind: 'number', rollUp, value, known: Uint32Array.from(value, (one) => Number(!Number.isNaN(one))) };
}
