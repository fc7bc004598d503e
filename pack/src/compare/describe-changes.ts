import { namesOf } from '../format/names-at.ts';
import { noRow } from '../format/pack-format.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { formatAddress } from '../names/path-hash.ts';
import { markFields } from '../slice/mark-fields.ts';
import type { CategoryField, NumberField, SliceField } from '../slice/slice.ts';
import type { ChangedRow, ChangeName } from './change-lists.ts';
import type { Changes, Gone } from './changes.ts';
import type { RowFigures } from './row-figures.ts';

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
  const now = await readPlaces(
    after,
    rows.flatMap(({ row, isGone }) => (isGone ? [] : [row])),
  );
  const then = await readPlaces(
    before,
    rows.flatMap(({ row, isGone }) => {
      if (isGone) return [row];
      return match.before[row] === noRow ? [] : [match.before[row]!];
    }),
  );
  return rows.map(({ row, isGone }) => {
    if (isGone) {
      return { changes: ['gone'], ...placeOf(then, row), before: figuresOf(changes.figuresBefore, row) };
    }
    const names = [...changes.namesAt(row)];
    const rowBefore = match.before[row]!;
    const isElsewhere = names.includes('moved') || names.includes('renamed');
    return {
      changes: names,
      ...placeOf(now, row),
      node: row,
      after: figuresOf(changes.figures, row),
      ...(rowBefore !== noRow && { before: figuresOf(changes.figuresBefore, rowBefore) }),
      ...(isElsewhere && { from: then.pathOf(rowBefore) }),
    };
  });
}

type Places = { pathOf(row: number): string[]; addressOf(row: number): string };

async function readPlaces(pack: PackReader, rows: readonly number[]): Promise<Places> {
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

function figuresOf(figures: RowFigures, row: number): ChangedFigures {
  const known = (of: 'volume' | 'difficulty' | 'position') => {
    const value = figures[of](row);
    return Number.isNaN(value) ? {} : { [of]: value };
  };
  return { keywords: figures.keywords(row), ...known('volume'), ...known('difficulty'), ...known('position') };
}

/** The values of the field `change`. */
export const changeKindValues = ['', 'same', 'new', 'moved', 'renamed'] as const;

/** Every field for some rows of the later upload. `known` is 1 where the value is known. */
export async function takeChangeFields(changes: Changes, rows: Uint32Array): Promise<SliceField[]> {
  const { compared, figures, figuresBefore } = changes;
  const { match } = compared;
  const gone = await changes.gone();
  const kind: CategoryField = {
    name: markFields.change,
    kind: 'category',
    values: changeKindValues,
    value: Uint8Array.from(rows, (row) => match.kind[row]! + 1),
    count: new Uint32Array(rows.length).fill(1),
    known: new Uint32Array(rows.length).fill(1),
  };
  const before = (of: 'volume' | 'difficulty' | 'position' | 'keywords') => (row: number) => {
    const rowBefore = match.before[row]!;
    return rowBefore === noRow ? Number.NaN : figuresBefore[of](rowBefore);
  };
  const volumeBefore = before('volume');
  const change = (row: number) => figures.volume(row) - volumeBefore(row);
  const lost = (of: keyof Gone) => (row: number) => gone.get(row)?.[of] ?? 0;
  return [
    kind,
    numbers(markFields.keywordsBefore, 'sum', rows, before('keywords')),
    numbers(markFields.volumeBefore, 'sum', rows, volumeBefore),
    numbers(markFields.volumeChange, 'sum', rows, change),
    numbers(markFields.difficultyBefore, 'mean', rows, before('difficulty')),
    numbers(markFields.positionBefore, 'mean', rows, before('position')),
    numbers(markFields.goneNodes, 'sum', rows, lost('nodes')),
    numbers(markFields.goneKeywords, 'sum', rows, lost('keywords')),
    numbers(markFields.goneVolume, 'sum', rows, lost('volume')),
    numbers(markFields.goneKeywordsBelow, 'sum', rows, lost('keywordsBelow')),
    numbers(markFields.goneVolumeBelow, 'sum', rows, lost('volumeBelow')),
  ];
}

/** What rows can be sorted by. Rows that are where they were have no kind. */
type ChangeKey = 'change' | 'volume_before' | 'volume_change' | 'volume_percent';

/** The values of rows of the later upload; NaN where they are unknown. Kinds are ordered by their names. */
export function changeValues(
  { compared: { match }, figures, figuresBefore }: Changes,
  by: ChangeKey,
  rows: Uint32Array,
): Float64Array {
  const before = (row: number) => {
    const rowBefore = match.before[row]!;
    return rowBefore === noRow ? Number.NaN : figuresBefore.volume(rowBefore);
  };
  const figureAt: Readonly<Record<ChangeKey, (row: number) => number>> = {
    change: (row) => kindOrder[match.kind[row]!]!,
    volume_before: before,
    volume_change: (row) => figures.volume(row) - before(row),
    volume_percent(row) {
      const then = before(row);
      return then === 0 ? Number.NaN : (figures.volume(row) - then) / then;
    },
  };
  return Float64Array.from(rows, figureAt[by]);
}

/** By kind: same, new, moved, renamed. */
const kindOrder = [Number.NaN, 1, 0, 2] as const;

function numbers(
  name: string,
  rollUp: 'sum' | 'mean',
  rows: Uint32Array,
  figureAt: (row: number) => number,
): NumberField {
  const value = Float64Array.from(rows, figureAt);
  return { name, kind: 'number', rollUp, value, known: Uint32Array.from(value, (one) => Number(!Number.isNaN(one))) };
}
