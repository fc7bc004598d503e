import type { FigureTotals } from '../../src/lists/grouping-choice.ts';
import type { Meaning, Note } from '../../src/read/reading.ts';

/** What is right about a file of `fixtures/list-faults`. */
export type RightReading = {
  readonly file: string;
  /** Rows that are keywords, and different keywords among them. */
  readonly rows: number;
  readonly keywords: number;
  /** The text of the first keyword, where that was misread. */
  readonly first?: string;
  readonly unreadable?: number;
  /** Totals, notes and the like, which are no keywords. */
  readonly footers?: number;
  /** The sums of figures, each keyword once. */
  readonly totals?: FigureTotals;
  /** What each column is, in the order of the file. */
  readonly columns: readonly (readonly [name: string, meaning: Meaning])[];
  readonly notes?: readonly Note['code'][];
  /** The columns of its own grouping; absent if keywords are to be clustered. */
  readonly grouping?: readonly string[];
};

/** Lists that were once misread without a word. Figures are those of the rows in the file, added up by hand. */
export const rightReadings: readonly RightReading[] = [
  {
    file: '01-ads-terms-totals.csv',
    rows: 32,
    keywords: 32,
    footers: 4,
    totals: { clicks: 64, impressions: 640 },
    columns: [
      ['Search term', 'keyword'],
      ['Match type', 'keep'],
      ['Campaign', 'keep'],
      ['Ad group', 'level1'],
      ['Clicks', 'clicks'],
      ['Impr.', 'impressions'],
      ['CTR', 'ctr'],
      ['Currency code', 'keep'],
      ['Cost', 'keep'],
    ],
    notes: ['unread-figures'],
    grouping: ['Ad group'],
  },
  {
    file: '02-total-grand.csv',
    rows: 32,
    keywords: 32,
    footers: 1,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
      ['KD', 'difficulty'],
    ],
  },
  {
    file: '03-total-first-row.csv',
    rows: 32,
    keywords: 32,
    footers: 1,
    totals: { clicks: 64, impressions: 640 },
    columns: [
      ['Query', 'keyword'],
      ['Clicks', 'clicks'],
      ['Impressions', 'impressions'],
    ],
  },
  {
    file: '04-serp-features-as-groups.csv',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['URL', 'url'],
      ['Search vol.', 'volume'],
      ['SERP Features found', 'serpFeatures'],
      ['2026-03-01', 'keep'],
      ['2026-03-02', 'keep'],
    ],
    notes: ['unread-figures'],
  },
  {
    file: '05-true-false-as-groups.csv',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
      ['Is brand', 'keep'],
    ],
  },
  {
    file: '06-ranking-type-sparse.csv',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Pos shop.example', 'keep'],
      ['Pos type', 'keep'],
      ['Search Volume', 'volume'],
    ],
    notes: ['unread-figures'],
  },
  {
    file: '07-metric-words-as-groups.csv',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
      ['KD', 'difficulty'],
      ['CPC', 'cpc'],
    ],
  },
  {
    file: '08-merged-group-cells.xlsx',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Cluster', 'level1'],
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
    ],
    notes: ['filled-down'],
    grouping: ['Cluster'],
  },
  {
    file: '09-search-term-and-keyword.csv',
    rows: 32,
    keywords: 32,
    totals: { clicks: 64, impressions: 640 },
    columns: [
      ['Search term', 'keyword'],
      ['Match type', 'keep'],
      ['Keyword', 'keep'],
      ['Clicks', 'clicks'],
      ['Impressions', 'impressions'],
    ],
  },
  {
    file: '10-numeric-keywords.csv',
    rows: 6,
    keywords: 6,
    totals: { volume: 210 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
    ],
  },
  {
    file: '11-search-console-es.csv',
    rows: 32,
    keywords: 32,
    totals: { clicks: 64, impressions: 640 },
    columns: [
      ['Consultas principales', 'keyword'],
      ['Clics', 'clicks'],
      ['Impresiones', 'impressions'],
      ['CTR', 'ctr'],
      ['Posición', 'position'],
    ],
  },
  {
    file: '12-search-console-ja.csv',
    rows: 6,
    keywords: 6,
    totals: { clicks: 12, impressions: 120 },
    columns: [
      ['上位のクエリ', 'keyword'],
      ['クリック数', 'clicks'],
      ['表示回数', 'impressions'],
      ['CTR', 'ctr'],
      ['掲載順位', 'position'],
    ],
  },
  {
    file: '13-planner-es.tsv',
    rows: 8,
    keywords: 8,
    totals: { volume: 122210 },
    columns: [
      ['Palabra clave', 'keyword'],
      ['Moneda', 'keep'],
      ['Promedio de búsquedas mensuales', 'volume'],
      ['Competencia', 'competition'],
      ['Competencia (valor indexado)', 'competitionIndex'],
    ],
  },
  {
    file: '14-ahrefs-organic-compare.tsv',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Country', 'country'],
      ['Volume', 'volume'],
      ['KD', 'difficulty'],
      ['CPC', 'cpc'],
      ['Previous organic traffic', 'keep'],
      ['Current organic traffic', 'traffic'],
      ['Organic traffic change', 'keep'],
      ['Previous position', 'previousPosition'],
      ['Current position', 'position'],
      ['Current URL', 'url'],
    ],
    notes: ['unread-figures'],
  },
  {
    file: '15-search-vol.csv',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Difficulty', 'difficulty'],
      ['Search vol.', 'volume'],
      ['CPC', 'cpc'],
      ['Competition', 'competition'],
    ],
  },
  {
    file: '16-wordstat.csv',
    rows: 6,
    keywords: 6,
    totals: { volume: 215 },
    columns: [
      ['Формулировка', 'keyword'],
      ['Число запросов', 'volume'],
      ['Топ запросов «стол», 01.03.2026 — 31.03.2026, все регионы', 'keep'],
    ],
  },
  {
    file: '17-global-volume-only.csv',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume (Global)', 'volume'],
      ['CPC (Global)', 'cpc'],
      ['Competition (Global)', 'competition'],
    ],
    notes: ['global-figures'],
  },
  {
    file: '18-windows-1251.csv',
    rows: 8,
    keywords: 8,
    totals: { clicks: 16, impressions: 160 },
    columns: [
      ['Запрос', 'keyword'],
      ['Показы', 'impressions'],
      ['Клики', 'clicks'],
    ],
    notes: ['encoding-guess'],
  },
  {
    file: '19-shift-jis.csv',
    rows: 8,
    keywords: 8,
    totals: { volume: 160 },
    columns: [
      ['キーワード', 'keyword'],
      ['検索数', 'volume'],
    ],
    notes: ['encoding-guess'],
  },
  {
    file: '20-ranges-in-words.csv',
    rows: 8,
    keywords: 8,
    totals: { volume: 143000 },
    columns: [
      ['Keyword', 'keyword'],
      ['Avg. monthly searches', 'volume'],
    ],
  },
  {
    file: '21-unknown-words.csv',
    rows: 32,
    keywords: 32,
    totals: { clicks: 16, impressions: 640 },
    columns: [
      ['Search term', 'keyword'],
      ['Clicks', 'clicks'],
      ['Impressions', 'impressions'],
      ['CTR', 'ctr'],
      ['Avg. CPC', 'cpc'],
      ['Position', 'position'],
    ],
  },
  {
    file: '22-dates-dmy.csv',
    rows: 3,
    keywords: 2,
    totals: { volume: 15 },
    columns: [
      ['Keyword', 'keyword'],
      ['Suchvolumen', 'volume'],
      ['Datum', 'date'],
    ],
  },
  {
    file: '23-invisible-characters.csv',
    rows: 5,
    keywords: 1,
    totals: { volume: 10 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
    ],
  },
  {
    file: '24-index-column.csv',
    rows: 32,
    keywords: 32,
    columns: [
      ['Column 1', 'leaveOut'],
      ['keyword', 'keyword'],
    ],
    notes: ['no-volume'],
  },
  { file: '25-one-column-header.txt', rows: 3, keywords: 3, columns: [['Palabra clave', 'keyword']] },
  { file: '26-comma-list.txt', rows: 6, keywords: 6, columns: [['Column 1', 'keyword']] },
  {
    file: '27-trends-top-rising.csv',
    rows: 5,
    keywords: 5,
    unreadable: 4,
    columns: [
      ['Column 1', 'keyword'],
      ['Column 2', 'keep'],
    ],
    notes: ['no-volume'],
  },
  {
    file: '29-match-types.csv',
    rows: 24,
    keywords: 8,
    totals: { clicks: 48, impressions: 480 },
    columns: [
      ['Keyword', 'keyword'],
      ['Clicks', 'clicks'],
      ['Impressions', 'impressions'],
    ],
  },
  {
    file: '30-two-equal-sheets.xlsx',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
    ],
  },
  {
    file: '31-hidden-first-sheet.xlsx',
    rows: 32,
    keywords: 32,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
    ],
  },
  {
    file: '32-number-formats.xlsx',
    rows: 11,
    keywords: 11,
    totals: { volume: 140 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
    ],
  },
  {
    file: '33-notes-below.xlsx',
    rows: 32,
    keywords: 32,
    footers: 2,
    totals: { volume: 320 },
    columns: [
      ['Keyword', 'keyword'],
      ['Volume', 'volume'],
      ['KD', 'difficulty'],
    ],
  },
];

/** The one that cannot be read: each of its two rows has more cells than the header. */
export const unreadableFile = '28-all-rows-unreadable.csv';
