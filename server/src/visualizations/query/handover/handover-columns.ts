import { shareText } from '@kc/pack/filter-words/share-text';
import type { TopicLevel } from '@kc/pack/levels/level';
import type { PlanStatus } from '@kc/pack/vocabulary/choices';
import type { Brief } from '@kc/rules/brief';
import type { CellKind, CellValue } from '../xlsx/cell-xml.ts';
import type { XlsxColumn } from '../xlsx/write-xlsx.ts';
import type { Handover, HandoverLine, SuggestedLink } from './handover-lines.ts';
import type { HandoverReader, PlannedRow } from './handover-query.ts';
import type { KeywordLine } from './keyword-lines.ts';

/**
 * Whom a column is for, if not for everybody. `planned`: everybody who may see the plan. `internal`: of these, everybody but
 * clients. `account`: people who can open the visualization themselves.
 */
type ColumnAudience = 'planned' | 'internal' | 'account';

/** A column of a hand-over in every form, and what its values mean. `id` is where a row has its value. */
export type HandoverColumn = XlsxColumn & {
  readonly id: string;
  readonly meaning: string;
  readonly audience?: ColumnAudience;
  /** Only where it is known which pages are similar. */
  readonly isOfLinks?: boolean;
};
type Described = Omit<HandoverColumn, 'id'>;

const column = (
  title: string,
  kind: CellKind,
  width: number,
  meaning: string,
  audience?: ColumnAudience,
): Described => ({ title, kind, width, meaning, ...(audience && { audience }) });

const ofEntries = {
  pillar: column('Pillar', 'text', 22, 'The branch below the root.'),
  cluster: column('Cluster', 'text', 24, 'The cluster that the entry is, or is in.'),
  path: column('Path', 'text', 36, 'The names from the pillar to the entry.'),
  primary: column(
    'Primary keyword',
    'text',
    28,
    'The keyword that somebody chose; otherwise the one with the highest known volume, then the lowest known difficulty.',
  ),
  supporting: column(
    'Supporting keywords',
    'text',
    48,
    'Its other keywords, heaviest first. Each keyword is listed once, under its nearest entry.',
  ),
  keywords: column('Keywords', 'count', 10, 'The different keywords of the branch.'),
  volume: column('Volume', 'count', 11, 'The sum of the known monthly volumes of these keywords.'),
  difficulty: column('Difficulty', 'decimal', 10, 'The mean over the keywords whose difficulty is known.'),
  difficultyKnown: column(
    'Difficulty known',
    'percent',
    10,
    'The share of the volume for which the difficulty is known; of the keywords where their volume is mostly unknown.',
  ),
  cpc: column('CPC', 'money', 8, 'The mean over the keywords whose cost per click is known.'),
  intent: column('Intent', 'text', 34, 'Shares of the keywords whose intent is known, largest first.'),
  score: column('Score', 'score', 11, 'See “Score” above.'),
  peak: column(
    'Peak month',
    'text',
    16,
    'The month with the most searches of all its keywords, if it has 1.3 times the searches of an average month and the trend is known for a fifth of the volume.',
  ),
  publishBy: column(
    'Publish by',
    'month',
    11,
    'As many months before its next peak as the plan says, see “Publish” above: the first day of the month. Only where it is known which months the trends are of.',
  ),
  contentType: column('Content type', 'text', 16, 'The kind of page that is planned.', 'planned'),
  url: column('URL', 'link', 32, 'Where the page is, or will be.', 'planned'),
  status: column('Status', 'text', 10, 'Idea, Planned, Written or Live.', 'planned'),
  owner: column('Owner', 'text', 16, 'Who writes the page.', 'internal'),
  due: column('Due', 'month', 11, 'The month in which the page is due: the first day of it.', 'planned'),
  tags: column('Tags', 'text', 18, 'Separated by commas.', 'internal'),
  note: column('Note', 'wrapped', 48, 'What people wrote about the entry.', 'internal'),
  covered: column(
    'Covered',
    'percent',
    10,
    'The share of the volume whose keywords have a page: status Written or Live. Of the keywords where their volume is mostly unknown. Without the filter.',
    'planned',
  ),
  links: {
    ...column(
      'Links to',
      'wrapped',
      48,
      'Pages to which this one should link: the text of the link → the path of the entry. The most similar entries, those of its pillar first, and those to which no other entry would link.',
    ),
    isOfLinks: true,
  },
  open: column('Open', 'link', 24, 'Opens the entry in the explorer, for people with access.', 'account'),
};

function described(...ids: readonly (keyof typeof ofEntries)[]): HandoverColumn[] {
  return ids.map((id) => ({ id, ...ofEntries[id] }));
}
function withIds(columns: Readonly<Record<string, Described>>): HandoverColumn[] {
  return Object.entries(columns).map(([id, column]) => ({ id, ...column }));
}

/** One row an entry. */
export const planColumns = withIds(ofEntries);

/** One row an entry that the upload does not have. */
export const missingColumns = withIds({
  path: { ...ofEntries.path, width: 40, meaning: 'Where the entry was when it was last found.' },
  keywords: column('Keywords then', 'count', 14, 'Its keywords when it was added or last moved.'),
  volume: column('Volume then', 'count', 13, 'Its volume when it was added or last moved.'),
  primary: { ...ofEntries.primary, meaning: 'The keyword that somebody chose.' },
}).concat(described('contentType', 'url', 'status', 'owner', 'due', 'tags', 'note'));

/** The order of a CSV file. */
export const csvColumns = described(
  ...(['cluster', 'primary', 'supporting', 'volume', 'difficulty', 'intent', 'contentType', 'url'] as const),
  ...(['status', 'owner', 'note', 'due', 'tags', 'path', 'links'] as const),
);

/** What an outline says of an entry, each in a line of its own. */
export const outlineFacts = described(
  'status',
  'primary',
  'contentType',
  'url',
  'owner',
  'due',
  'tags',
  'links',
  'note',
);

/** The values of a row by the ID of a column, as texts and numbers: a month is `2027-02`. An empty text is unknown. */
export type HandoverRow = Readonly<Record<string, CellValue>>;

/** @param between links, of which an entry may have several */
export function entryRow(line: HandoverLine, between: string): HandoverRow {
  const { path, pillar, cluster, primary, figures, covered, links = [], entry } = line;
  const { score, keywords, volume, difficulty, difficultyKnown, cpc } = figures;
  const known = { score, keywords, volume, difficulty, difficultyKnown, cpc, intent: intentText(figures), covered };
  return {
    ...(entry && plannedValues(entry)),
    ...known,
    pillar,
    cluster,
    path: pathText(path),
    primary,
    links: links.map(linkText).join(between),
  };
}

/** An entry that the upload does not have, with its figures when it was last found. */
export function missingRow(entry: PlannedRow): HandoverRow {
  const { keywords, volume, fields } = entry;
  const path = pathText(pathOf(entry));
  return { ...plannedValues(entry), keywords, volume: volume ?? undefined, path, primary: fields.primaryKeyword };
}

function plannedValues({ fields }: PlannedRow): HandoverRow {
  const { contentType, url, status, assignee, due, tags, note } = fields;
  return { contentType, url, status: statusWord(status), owner: assignee, due, tags: tags.join(', '), note };
}

/** The names on the way to an entry, when it was last found. */
export const pathOf = ({ paths }: PlannedRow): string[] => paths[0]!.map(([name]) => name);
/** “free themes → Themes › Free themes” */
const linkText = ({ anchor, path }: SuggestedLink): string => `${anchor} → ${pathText(path)}`;
export const pathText = (path: readonly string[]): string => path.join(' › ');

/** One row a keyword. */
export const keywordColumns = withIds({
  cluster: column('Cluster', 'text', 24, 'The cluster of the keyword.'),
  name: column('Keyword', 'text', 36, 'As in the uploaded file.'),
  role: column('Role', 'text', 12, 'Whether it is the primary keyword of its entry.'),
  volume: column('Volume', 'count', 11, 'Monthly searches.'),
  difficulty: column('Difficulty', 'decimal', 10, 'Of the keyword.'),
  cpc: column('CPC', 'money', 8, 'Cost per click.'),
  intent: column('Intent', 'text', 26, 'The intents of the keyword.'),
  position: column('Position', 'decimal', 10, 'The position in the results, as the file gives it.'),
  url: column('URL', 'link', 40, 'The page that ranks for the keyword, as the file gives it.'),
  growth: column(
    'Growth',
    'percent',
    10,
    'The change over a year that the file gives; otherwise the newest three months compared with the nine before.',
  ),
  peak: column('Peak month', 'text', 14, 'The month with the most searches, if it stands out.'),
  status: column('Status', 'text', 10, 'The status of its entry.', 'planned'),
});

export function keywordRow({ name, isPrimary, figures }: KeywordLine): HandoverRow {
  const { volume, difficulty, cpc, position, growth } = figures;
  const role = isPrimary ? 'primary' : 'supporting';
  return { name, role, volume, difficulty, cpc, position, growth, intent: intentText(figures) };
}

/** The columns that a reader gets. @param hasLinks whether links between pages can be suggested */
export function columnsFor(
  columns: readonly HandoverColumn[],
  reader: HandoverReader,
  { hasLinks }: Pick<Handover, 'hasLinks'>,
): HandoverColumn[] {
  return columns.filter(({ audience, isOfLinks = false }) => isFor(audience, reader) && (hasLinks || !isOfLinks));
}

function isFor(audience: ColumnAudience | undefined, { who, seesPlan }: HandoverReader): boolean {
  switch (audience) {
    case undefined:
      return true;
    case 'planned':
      return seesPlan;
    case 'internal':
      return seesPlan && who !== 'client';
    case 'account':
      return who === 'team';
  }
}

/** A status as the screen writes it. */
export const statusWord = (status: PlanStatus): string => status[0]!.toUpperCase() + status.slice(1);

/** "Informational 94 %, Commercial 6 %", or empty if no intent is known. */
export const intentText = ({ intents }: Pick<Brief['figures'], 'intents'>): string =>
  intents.map(({ intent, share }) => `${intent[0]!.toUpperCase()}${intent.slice(1)} ${shareText(share, 0)}`).join(', ');

/** @param pages the level of the smallest topics, which the file lists if not the plan */
export const firstSheetName = (of: 'plan' | 'clusters', pages: TopicLevel): string =>
  of === 'plan' ? 'Plan' : pages === 'subtopics' ? 'Subtopics' : 'Clusters';
export const missingSheetName = 'Not in this upload';
export const aboutSheetName = 'About';
