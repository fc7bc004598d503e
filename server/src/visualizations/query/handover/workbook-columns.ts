import type { TopicLevel } from '@kc/pack/levels/level';
import type { XlsxColumn } from '../xlsx/write-xlsx.ts';
import type { ColumnAudience } from './handover-query.ts';

/** A column of a workbook, with what its values mean. */
export type ExplainedColumn = XlsxColumn & { readonly meaning: string; readonly audience?: ColumnAudience };

const planned: readonly ExplainedColumn[] = [
  { title: 'Content type', kind: 'text', width: 16, meaning: 'The kind of page that is planned.', audience: 'planned' },
  { title: 'URL', kind: 'link', width: 32, meaning: 'Where the page is, or will be.', audience: 'planned' },
  { title: 'Status', kind: 'text', width: 10, meaning: 'Idea, Planned, Written or Live.', audience: 'planned' },
  { title: 'Owner', kind: 'text', width: 16, meaning: 'Who writes the page.', audience: 'internal' },
  {
    title: 'Due',
    kind: 'month',
    width: 11,
    meaning: 'The month in which the page is due: the first day of it.',
    audience: 'planned',
  },
  { title: 'Tags', kind: 'text', width: 18, meaning: 'Separated by commas.', audience: 'internal' },
  { title: 'Note', kind: 'wrapped', width: 48, meaning: 'What people wrote about the entry.', audience: 'internal' },
];

/** One row an entry. */
export const planColumns: readonly ExplainedColumn[] = [
  { title: 'Pillar', kind: 'text', width: 22, meaning: 'The branch below the root.' },
  { title: 'Cluster', kind: 'text', width: 24, meaning: 'The cluster that the entry is, or is in.' },
  { title: 'Path', kind: 'text', width: 36, meaning: 'The names from the pillar to the entry.' },
  {
    title: 'Primary keyword',
    kind: 'text',
    width: 28,
    meaning:
      'The keyword that somebody chose; otherwise the one with the highest known volume, then the lowest known difficulty.',
  },
  {
    title: 'Supporting keywords',
    kind: 'text',
    width: 48,
    meaning: 'Its other keywords, heaviest first. Each keyword is listed once, under its nearest entry.',
  },
  { title: 'Keywords', kind: 'count', width: 10, meaning: 'The different keywords of the branch.' },
  { title: 'Volume', kind: 'count', width: 11, meaning: 'The sum of the known monthly volumes of these keywords.' },
  { title: 'Difficulty', kind: 'decimal', width: 10, meaning: 'The mean over the keywords whose difficulty is known.' },
  {
    title: 'Difficulty known',
    kind: 'percent',
    width: 10,
    meaning:
      'The share of the volume for which the difficulty is known; of the keywords where their volume is mostly unknown.',
  },
  { title: 'CPC', kind: 'money', width: 8, meaning: 'The mean over the keywords whose cost per click is known.' },
  { title: 'Intent', kind: 'text', width: 34, meaning: 'Shares of the keywords whose intent is known, largest first.' },
  { title: 'Score', kind: 'score', width: 11, meaning: 'See “Score” above.' },
  {
    title: 'Peak month',
    kind: 'text',
    width: 16,
    meaning:
      'The month with the most searches of all its keywords, if it has 1.3 times the searches of an average month and the trend is known for a fifth of the volume.',
  },
  {
    title: 'Publish by',
    kind: 'month',
    width: 11,
    meaning:
      'As many months before its next peak as the plan says, see “Publish” above: the first day of the month. Only where it is known which months the trends are of.',
  },
  ...planned,
  {
    title: 'Covered',
    kind: 'percent',
    width: 10,
    meaning:
      'The share of the volume whose keywords have a page: status Written or Live. Of the keywords where their volume is mostly unknown. Without the filter.',
    audience: 'planned',
  },
  {
    title: 'Open',
    kind: 'link',
    width: 24,
    meaning: 'Opens the entry in the explorer, for people with access.',
    audience: 'account',
  },
];

/** One row a keyword. */
export const keywordColumns: readonly ExplainedColumn[] = [
  { title: 'Cluster', kind: 'text', width: 24, meaning: 'The cluster of the keyword.' },
  { title: 'Keyword', kind: 'text', width: 36, meaning: 'As in the uploaded file.' },
  { title: 'Role', kind: 'text', width: 12, meaning: 'Whether it is the primary keyword of its entry.' },
  { title: 'Volume', kind: 'count', width: 11, meaning: 'Monthly searches.' },
  { title: 'Difficulty', kind: 'decimal', width: 10, meaning: 'Of the keyword.' },
  { title: 'CPC', kind: 'money', width: 8, meaning: 'Cost per click.' },
  { title: 'Intent', kind: 'text', width: 26, meaning: 'The intents of the keyword.' },
  { title: 'Position', kind: 'decimal', width: 10, meaning: 'The position in the results, as the file gives it.' },
  { title: 'URL', kind: 'link', width: 40, meaning: 'The page that ranks for the keyword, as the file gives it.' },
  {
    title: 'Growth',
    kind: 'percent',
    width: 10,
    meaning:
      'The change over a year that the file gives; otherwise the newest three months compared with the nine before.',
  },
  { title: 'Peak month', kind: 'text', width: 14, meaning: 'The month with the most searches, if it stands out.' },
  { title: 'Status', kind: 'text', width: 10, meaning: 'The status of its entry.', audience: 'planned' },
];

/** One row an entry that the upload does not have. */
export const missingColumns: readonly ExplainedColumn[] = [
  { title: 'Path', kind: 'text', width: 40, meaning: 'Where the entry was when it was last found.' },
  { title: 'Keywords then', kind: 'count', width: 14, meaning: 'Its keywords when it was added or last moved.' },
  { title: 'Volume then', kind: 'count', width: 13, meaning: 'Its volume when it was added or last moved.' },
  { title: 'Primary keyword', kind: 'text', width: 28, meaning: 'The keyword that somebody chose.' },
  ...planned,
];

/** @param pages the level of the smallest topics, which the file lists if not the plan */
export const firstSheetName = (of: 'plan' | 'clusters', pages: TopicLevel): string =>
  of === 'plan' ? 'Plan' : pages === 'subtopics' ? 'Subtopics' : 'Clusters';
export const missingSheetName = 'Not in this upload';
export const aboutSheetName = 'About';
