import { warningMarkWords } from '@kc/pack/filter-words/mark-parts';
import { type WarningKind, warningKinds } from '@kc/rules/warnings';
import { counted } from '../../format/figure-text.ts';
import type { WarningMark } from '../../model/warning-marks.ts';

const { unknown, ...others } = warningMarkWords;
/** In the order of the kinds. */
export const kindNames: Readonly<Record<WarningKind, string>> = {
  ...others,
  unplaced: 'Not in the hierarchy',
  unknown,
};

/** The names of the kinds in a mask of {@link warningKinds}. */
export const kindsIn = (mask: number): string[] =>
  warningKinds.filter((_, bit) => (mask & (1 << bit)) !== 0).map((kind) => kindNames[kind]);

/** What the map marks at a node: its kinds, and how many more are in its branch. */
export function warningText({ kinds, own, within }: WarningMark): string {
  const below = within - own;
  const ownText = own > 0 ? [`${counted(own, 'warning')}: ${kindsIn(kinds).join(', ')}`] : [];
  const belowText = below > 0 ? [`${counted(below, 'warning')} inside`] : [];
  return [...ownText, ...belowText].join('; ');
}
