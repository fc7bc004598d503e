import type { WarningMarks } from '@kc/rules/warning-shapes';
import { readColumns } from './list-columns.ts';

/** A node with warnings: of which kinds (bits), how many of its own, and how many its branch has. */
export type WarningMark = { readonly kinds: number; readonly own: number; readonly within: number };
/** By pack row. */
export type WarningMarkMap = ReadonlyMap<number, WarningMark>;

export function warningMarkMap({ rows, kinds, own, within }: WarningMarks): WarningMarkMap {
  return new Map(rows.map((row, at) => [row, { kinds: kinds[at]!, own: own[at]!, within: within[at]! }]));
}

/** Whether chosen columns include the warnings. */
const showsWarnings = (cols: string): boolean => readColumns(cols).some(({ id }) => id === 'warnings');

type MarkingState = {
  readonly isWarned: boolean | undefined;
  readonly panel: string;
  readonly detailOpen: boolean;
  readonly isSmall: boolean;
  readonly view: string;
  readonly cols: string;
};

/**
 * Whether warnings are marked: as chosen, otherwise while their tab is open; in the table also if they have a column.
 */
export const isMarking = ({ isWarned, panel, detailOpen, isSmall, view, cols }: MarkingState): boolean =>
  (isWarned ?? (panel === 'warnings' && (detailOpen || isSmall))) || (view === 'table' && showsWarnings(cols));
