import { figureName } from './figure-name.ts';

/** The titles of the columns that a table can have besides those of the file's fields, by their ID. */
export const columnTitles = {
  name: 'Name',
  cluster: 'Cluster',
  pillar: 'Pillar',
  type: 'Type',
  depth: 'Level',
  keywords: 'Keywords',
  volume: 'Volume',
  share: 'Share of volume',
  trend: 'Trend',
  difficulty: 'Difficulty',
  difficulty_weighted: 'Difficulty by volume',
  intent: 'Intent',
  cpc: 'CPC',
  'known:difficulty': 'Difficulty known',
  'known:cpc': 'CPC known',
  'known:intent': 'Intent known',
  change: 'Change',
  volume_before: 'Volume before',
  volume_change: 'Change in volume',
  volume_percent: 'Change in %',
  similar: 'Similar',
  warnings: 'Warnings',
  plan: 'Plan status',
  covered: 'Covered',
} as const;

export type TitledColumn = keyof typeof columnTitles;

export const isTitled = (id: string): id is TitledColumn => Object.hasOwn(columnTitles, id);

/** The title of any column; those of fields are `field:` and the name. */
export const columnTitle = (id: string): string => (isTitled(id) ? columnTitles[id] : figureName(id));
