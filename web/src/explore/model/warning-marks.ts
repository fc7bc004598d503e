import type { WarningMarks } from '@kc/rules/warning-shapes';

/** A node with warnings: of which kinds (bits), how many of its own, and how many its branch has. */
export type WarningMark = { readonly kinds: number; readonly own: number; readonly within: number };
/** By pack row. */
export type WarningMarkMap = ReadonlyMap<number, WarningMark>;

export function warningMarkMap({ rows, kinds, own, within }: WarningMarks): WarningMarkMap {
  return new Map(rows.map((row, at) => [row, { kinds: kinds[at]!, own: own[at]!, within: within[at]! }]));
}

type Marking = {
  readonly isWarned: boolean | undefined;
  readonly panel: string;
  readonly detailOpen: boolean;
  readonly isSmall: boolean;
};

/** Whether the map marks warnings: as chosen, otherwise while their tab is open. */
export const isMarking = ({ isWarned, panel, detailOpen, isSmall }: Marking): boolean =>
  isWarned ?? (panel === 'warnings' && (detailOpen || isSmall));
