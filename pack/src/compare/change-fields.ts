import { noRow } from '../format/pack-format.ts';
import { markFields } from '../slice/mark-fields.ts';
import type { CategoryField, NumberField, SliceField } from '../slice/slice.ts';
import type { Changes } from './changes.ts';
import type { Gone } from './gone-nodes.ts';

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
export type ChangeKey = 'change' | 'volume_before' | 'volume_change' | 'volume_percent';

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
