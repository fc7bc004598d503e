import type { ChangeName } from '@kc/pack/vocabulary/changes';
import type { ChangedFigures, ChangedNode } from '@kc/rules/change-shapes';
import { shownName } from '@kc/rules/visible-text';
import { exact, isKnown, mean, share } from '../../format/figure-text.ts';

/** The label of each kind of change, and the sign that stands before it. */
export const changeWords: Readonly<Record<ChangeName, { readonly label: string; readonly sign: string }>> = {
  new: { label: 'New', sign: '+' },
  gone: { label: 'Gone', sign: '−' },
  moved: { label: 'Moved', sign: '→' },
  renamed: { label: 'Renamed', sign: '✎' },
  'volume-up': { label: 'Volume up', sign: '▲' },
  'volume-down': { label: 'Volume down', sign: '▼' },
  easier: { label: 'Easier', sign: '↘' },
  harder: { label: 'Harder', sign: '↗' },
  'rank-up': { label: 'Rank up', sign: '⇑' },
  'rank-down': { label: 'Rank down', sign: '⇓' },
  'now-known': { label: 'Now known', sign: '!' },
  'no-longer-known': { label: 'No longer known', sign: '?' },
};

type Figure = 'volume' | 'difficulty' | 'position';

/** The figure that a kind of change is about. */
export function figureOfChange(kind: ChangeName | undefined): Figure {
  if (kind === 'easier' || kind === 'harder') return 'difficulty';
  return kind === 'rank-up' || kind === 'rank-down' ? 'position' : 'volume';
}

const figureNames = { volume: 'Volume', difficulty: 'Difficulty', position: 'Position' } as const;

/** "Volume 1,200 → 1,500 (+300, +25.0 %)", "Volume 500, as before"; for one side only "Volume 500". */
export function figureChange({ before, after }: Pick<ChangedNode, 'before' | 'after'>, of: Figure): string {
  const name = figureNames[of];
  const write = of === 'volume' ? exact : mean;
  if (!before || !after) return `${name} ${write((before ?? after)?.[of])}`;
  if (before[of] !== undefined && before[of] === after[of]) return `${name} ${write(after[of])}, as before`;
  const both = `${name} ${write(before[of])} → ${write(after[of])}`;
  const difference = differenceText(before, after, of);
  return difference === '' ? both : `${both} (${difference})`;
}

/** "+300, +25.0 %"; empty if a side is unknown or both are equal. */
export function differenceText(before: ChangedFigures, after: ChangedFigures, of: Figure | 'keywords'): string {
  const [from, to] = [before[of], after[of]];
  if (!isKnown(from) || !isKnown(to) || from === to) return '';
  const sign = to > from ? '+' : '−';
  const size = Math.abs(to - from);
  const written = `${sign}${of === 'volume' || of === 'keywords' ? exact(size) : mean(size)}`;
  return from > 0 && of === 'volume' ? `${written}, ${sign}${share(size, from)}` : written;
}

/** Where a node is: "Chat › Live chat"; the root has no path. */
export const pathText = (names: readonly string[]): string => names.map(shownName).join(' › ');
