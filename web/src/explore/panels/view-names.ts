import type { MatchMode, PointLevel } from '@kc/pack/vocabulary/choices';
import { counted } from '../format/figure-text.ts';
import type { TableLevel } from '../model/list-query.ts';
import type { View } from '../model/url-state.ts';

/** The label of each view. */
export const viewNames: Readonly<Record<View, string>> = {
  treemap: 'Treemap',
  bubbles: 'Bubbles',
  sunburst: 'Sunburst',
  icicle: 'Icicle',
  tree: 'Tree',
  opportunity: 'Opportunity',
  table: 'Table',
};

/** The names of the levels in the control. */
export const levelNames: Readonly<Record<TableLevel, string>> = {
  tree: 'Tree',
  pillars: 'Pillars',
  clusters: 'Clusters',
  subtopics: 'Subtopics',
  keywords: 'Keywords',
  plan: 'Plan',
};

export type LevelWords = {
  readonly level: PointLevel;
  readonly title: string;
  readonly count: (rows: number) => string;
};

/** How texts speak of the rows of a level. */
export const levelWords: Readonly<Record<PointLevel, LevelWords>> = {
  pillars: { level: 'pillars', title: 'Pillars', count: (rows) => counted(rows, 'pillar') },
  clusters: { level: 'clusters', title: 'Clusters', count: (rows) => counted(rows, 'cluster') },
  subtopics: { level: 'subtopics', title: 'Subtopics', count: (rows) => counted(rows, 'subtopic') },
  keywords: { level: 'keywords', title: 'Keywords', count: (rows) => counted(rows, 'row') },
  children: { level: 'children', title: 'Children', count: (rows) => counted(rows, 'child', 'children') },
};

/** Labels of the match modes. */
export const matchOptions = [
  { value: 'all', label: 'All words' },
  { value: 'any', label: 'Any word' },
  { value: 'phrase', label: 'Exact phrase' },
  { value: 'regex', label: 'Regex' },
] as const satisfies readonly { readonly value: MatchMode; readonly label: string }[];
