import {
  type Corrections,
  type Delimiter,
  delimiters,
  type Encoding,
  encodings,
  type Meaning,
  type Reading,
  type Separator,
  type Vendor,
} from '@kc/cluster/read/reading';
import { isoDayText } from '../../ui/number-text.ts';

/** What the values of a column are, as people call it, in the order of the select. */
const meaningNames: Readonly<Record<Meaning, string>> = {
  keyword: 'Keyword',
  volume: 'Search volume',
  volumeBound: 'Bound of the search volume',
  volumePart: 'Volume of a device',
  difficulty: 'Difficulty',
  cpc: 'CPC',
  cpcBound: 'Bound of the CPC',
  competition: 'Competition',
  competitionIndex: 'Competition, 0 to 100',
  intent: 'Search intent',
  informational: 'Informational, yes or no',
  navigational: 'Navigational, yes or no',
  commercial: 'Commercial, yes or no',
  transactional: 'Transactional, yes or no',
  serpFeatures: 'SERP features',
  trend: 'Trend',
  trendMonth: 'Month of the trend',
  position: 'Position',
  previousPosition: 'Previous position',
  url: 'URL',
  clicks: 'Clicks',
  impressions: 'Impressions',
  ctr: 'CTR',
  traffic: 'Traffic',
  trafficPotential: 'Traffic potential',
  trafficCost: 'Traffic cost',
  country: 'Market',
  language: 'Language',
  date: 'Date',
  level1: 'Level 1 of the grouping',
  level2: 'Level 2 of the grouping',
  level3: 'Level 3 of the grouping',
  level4: 'Level 4 of the grouping',
  resultUrl: 'Result URL',
  resultRank: 'Rank of the result',
  keep: 'Keep as it is',
  leaveOut: 'Leave out',
};

export const meaningOptions = (Object.keys(meaningNames) as Meaning[]).map((value) => ({
  value,
  label: meaningNames[value],
}));

const vendorNames: Readonly<Record<Vendor, string>> = {
  'semrush-keyword-strategy-builder': 'Semrush Keyword Strategy Builder',
  'semrush-organic-positions': 'Semrush Organic Positions',
  'semrush-keyword-magic': 'Semrush Keyword Magic',
  'semrush-api': 'Semrush API',
  'ahrefs-keywords-explorer': 'Ahrefs Keywords Explorer',
  'ahrefs-organic-keywords': 'Ahrefs Organic keywords',
  'search-console': 'Google Search Console',
  'keyword-planner': 'Google Keyword Planner',
  ubersuggest: 'Ubersuggest',
  dataforseo: 'DataForSEO',
  serpapi: 'SerpApi',
  table: 'Table',
  'plain-list': 'Plain list',
};

export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-8-twice': 'UTF-8, encoded twice',
  'utf-16le': 'UTF-16 LE',
  'utf-16be': 'UTF-16 BE',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1255': 'Windows-1255',
  'windows-1256': 'Windows-1256',
  'windows-1257': 'Windows-1257',
  shift_jis: 'Shift_JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
  'koi8-r': 'KOI8-R',
  macintosh: 'Mac Roman',
  ibm850: 'DOS 850',
  ibm866: 'DOS 866',
  'windows-874': 'Windows-874',
};
export const encodingOptions = encodings.map((value) => ({ value, label: encodingNames[value] }));

const delimiterNames: Readonly<Record<Delimiter, string>> = {
  '\t': 'tab',
  ';': 'semicolon',
  ',': 'comma',
  '|': 'vertical bar',
};
const separatorNames: Readonly<Record<Separator, string>> = {
  ...delimiterNames,
  '、': 'Japanese comma',
  '，': 'full-width comma',
  '；': 'full-width semicolon',
  '،': 'Arabic comma',
  ' / ': 'slash',
  ' · ': 'middle dot',
  ' • ': 'bullet',
  ' #': 'hash sign',
};
export const delimiterOptions: readonly { value: NonNullable<Corrections['delimiter']>; label: string }[] = [
  ...delimiters.map((value) => ({ value, label: capital(delimiterNames[value]) })),
  { value: 'columns', label: 'Columns padded with blanks' },
  { value: 'lines', label: 'One keyword per line' },
  { value: 'figures', label: 'One keyword and its figure per line' },
];

/** How a file is read, in short parts: tool, encoding, delimiter, header, market, day of the export. */
export function readingParts(reading: Reading): string[] {
  const { format, encoding, sheet, alike, header, vendor } = reading;
  if (format === 'json') return [vendorNames[vendor], 'JSON', ...originParts(reading)];
  const form =
    format === 'workbook'
      ? ['XLSX', alike ? `sheets ${[sheet, ...alike.map((other) => other.sheet)].join(', ')}` : `sheet ${sheet}`]
      : [encodingNames[encoding], columnsText(reading)];
  return [
    vendorNames[vendor],
    ...form,
    header ? `header in line ${header.line}` : 'no header line',
    ...(reading.listMarks ? [`without the ${markNames[reading.listMarks]} before keywords`] : []),
    ...(reading.resultKind === undefined ? [] : ['positions of organic results']),
    ...(reading.signs
      ? [`signs written as in ${/entities|tags/.test(reading.signs) ? 'web pages' : 'addresses'}`]
      : []),
    ...originParts(reading),
  ];
}

const originParts = ({ market, exported }: Reading): string[] => [
  ...(market ? [`market ${market}`] : []),
  ...(exported ? [`exported ${isoDayText(exported)}`] : []),
];

const markNames: Readonly<Record<NonNullable<Reading['listMarks']>, string>> = {
  numbers: 'numbers',
  count: 'numbers',
  roman: 'roman numbers',
  bullets: 'bullets',
};

function columnsText({ isSingleQuoted, ...reading }: Reading): string {
  return isSingleQuoted ? `${syntaxText(reading)}, single quotes` : syntaxText(reading);
}

function syntaxText({ delimiter, columnsAt, figureAt, isQuotedWhole, separator }: Reading): string {
  if (columnsAt) return 'columns padded with blanks';
  if (figureAt) return 'one keyword and its figure per line';
  if (delimiter === undefined) return linesText(separator);
  return isQuotedWhole ? `${delimiterNames[delimiter]}, lines quoted as a whole` : delimiterNames[delimiter];
}

const linesText = (separator: Separator | undefined): string =>
  separator === undefined ? 'one keyword per line' : `keywords with a ${separatorNames[separator]} between them`;

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const shareWords: Readonly<Partial<Record<Meaning, string>>> = {
  keyword: 'have a letter',
  intent: 'are search intents',
  url: 'are addresses',
  resultUrl: 'are addresses',
  level1: 'have a letter',
  level2: 'have a letter',
  level3: 'have a letter',
  level4: 'have a letter',
};

/** Why a meaning that a person chose hardly fits: "Only 12 % of the values are numbers." @param share 0 to 1 */
export const misfitText = (meaning: Meaning, share: number): string =>
  `Only ${Math.floor(share * 100)} % of the values ${shareWords[meaning] ?? 'are numbers'}.`;

/** "3 markets: us, uk, de. Volumes are added up." */
export function marketsText(markets: readonly string[], only: string | undefined): string {
  const listed = `${markets.length} markets: ${markets.join(', ')}.`;
  return only === undefined ? `${listed} Volumes are added up.` : `${listed} Only rows of ${only} are used.`;
}

/** "Nov 3", with the year if it is another one. */
export function dayText(time: number, now = Date.now()): string {
  const isThisYear = new Date(time).getFullYear() === new Date(now).getFullYear();
  const year = isThisYear ? {} : ({ year: 'numeric' } as const);
  return new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', ...year }).format(time);
}
