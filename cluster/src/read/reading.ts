export const encodings = [
  'utf-8',
  // Read as Windows-1252 once, and saved as UTF-8 again: "GÃ¼rtel".
  'utf-8-twice',
  'utf-16le',
  'utf-16be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'shift_jis',
  'euc-jp',
  'gb18030',
  'big5',
  'euc-kr',
  'koi8-r',
  'macintosh',
  'ibm850',
  'ibm866',
  'windows-874',
] as const;
export type Encoding = (typeof encodings)[number];

export const delimiters = ['\t', ';', ',', '|'] as const;
export type Delimiter = (typeof delimiters)[number];
/** What stands between the keywords of one line. */
export const separators = [...delimiters, '、', '，', '；', '،', ' / ', ' · ', ' • ', ' #'] as const;
export type Separator = (typeof separators)[number];

const vendors = [
  'semrush-keyword-strategy-builder',
  'semrush-organic-positions',
  'semrush-keyword-magic',
  'semrush-api',
  'ahrefs-keywords-explorer',
  'ahrefs-organic-keywords',
  'search-console',
  'keyword-planner',
  'ubersuggest',
  'dataforseo',
  'serpapi',
  'table',
  'plain-list',
] as const;
export type Vendor = (typeof vendors)[number];

/** What the values of a column are: fields of an upload, and what has other names or forms in lists. */
export const meanings = [
  'keyword',
  'volume',
  'volumeBound',
  // On one kind of device; those of all devices are added.
  'volumePart',
  'difficulty',
  'cpc',
  'cpcBound',
  'competition',
  'competitionIndex',
  'intent',
  'informational',
  'navigational',
  'commercial',
  'transactional',
  'serpFeatures',
  'trend',
  // A month of the trend; such columns stand in the order of their months.
  'trendMonth',
  'position',
  'previousPosition',
  'url',
  'clicks',
  'impressions',
  'ctr',
  'traffic',
  'trafficPotential',
  'trafficCost',
  'country',
  'language',
  // The day that the figures are for, or when they were looked up.
  'date',
  'level1',
  'level2',
  'level3',
  'level4',
  // The address of a search result, one per row.
  'resultUrl',
  'resultRank',
  // "Keep as it is": goes to the map under its own name.
  'keep',
  'leaveOut',
] as const;
export type Meaning = (typeof meanings)[number];

/** What several columns of a table may be. */
export const mayRepeat: ReadonlySet<Meaning> = new Set<Meaning>([
  'volumeBound',
  'volumePart',
  'cpcBound',
  'trendMonth',
  'date',
  'keep',
  'leaveOut',
]);

/** Figures that add up over keywords. */
export const additiveFigures: ReadonlySet<Meaning> = new Set<Meaning>([
  'volume',
  'volumePart',
  'traffic',
  'trafficCost',
  'clicks',
  'impressions',
]);

/** What a number says of a keyword. */
const figures: ReadonlySet<Meaning> = new Set<Meaning>([
  ...additiveFigures,
  'volumeBound',
  'difficulty',
  'cpc',
  'cpcBound',
  'competitionIndex',
  'position',
  'previousPosition',
  'trafficPotential',
  'ctr',
  'resultRank',
]);
export const isFigure = (meaning: Meaning): boolean => figures.has(meaning);

export type Column = {
  /** Unique within the file. */
  readonly name: string;
  readonly meaning: Meaning;
  /** Whether "1,5" is one and a half in every value of this column. */
  readonly hasDecimalComma: boolean;
  /** Of a figure that adds up: whether "1.125" is one and an eighth rather than a number of thousands. */
  readonly hasDecimalPoint?: true;
  /** The first known value among the rows that were looked at. */
  readonly sample: string | undefined;
  /** Share of the rows that were looked at and have a known value, 0 to 1. */
  readonly known: number;
  /** Share of the known values that fit the meaning, if it is less than the meaning asks for. */
  readonly misfit?: number;
  /** Of a level: whether an empty cell has the value of the cell above. */
  readonly fillsDown?: true;
  /** Of dates such as 03/04/2026: whether the day comes first. */
  readonly isDayFirst?: boolean;
  /** Of a month of the trend whose name says no year: how many months it is before the newest one. */
  readonly monthsBack?: number;
  /** Of costs: their currency as the file writes it, `EUR` or `₽`; undefined if it does not say. */
  readonly currency?: string;
  /** Of a figure: whether 0 means that the tool knows nothing. */
  readonly isZeroUnknown?: true;
  /** Of a click rate or a difficulty whose scale nothing shows: whether its numbers are percentages, rather than shares. */
  readonly isPercent?: boolean;
  /** Of a figure: what its numbers are to be multiplied by, as in "Volume (k)", or where indexes are shares. */
  readonly multiple?: number;
};

/** A sheet, the records above its first row of data, and the market that it is named after. */
export type SheetAlike = { readonly sheet: string; readonly skipped: number; readonly market?: string };

/** `count`: 1, 2, 3 without a sign behind them. */
export type ListMarks = 'numbers' | 'count' | 'roman' | 'bullets';

/**
 * `entities`: as in web pages, `&amp;`. `tags`: the same, with tags around words, `<b>oak</b>`. `percent`: as in addresses, `%20`. `plus`: the
 * same with a plus for a blank, as in queries of addresses.
 */
export type Signs = 'entities' | 'tags' | 'percent' | 'plus';

/** What stands between several keywords in one cell. */
export const inCells = ['\n', ';', ',', '|', '、', '，', '；', '،'] as const;
export type InCells = (typeof inCells)[number];

/** Where each line of a text has a figure beside its keyword: "1200 oak desk", or "oak desk - 1200" and "oak desk (1,200)". */
export type FigurePlace = 'start' | 'end';

/**
 * Of a table whose groups have rows of their own: the column of keywords, which has their names, and the column that they get behind the others.
 * `isNested`: there are groups in groups, so that the outer ones get this column, and the inner ones the next.
 */
export type GroupRows = { readonly names: number; readonly groups: number; readonly isNested?: true };

/**
 * Of a list without columns that has headings: `indents`: above lines that stand further to the right, or in Markdown. `blocks`: behind empty lines.
 * `capitals`: in nothing but capitals.
 * `titles`: before a colon on each line. `levels`: how many of them are above a keyword at most.
 */
export type Outline = { readonly kind: 'indents' | 'blocks' | 'capitals' | 'titles'; readonly levels: number };

/** How a file is understood. */
export type Reading = {
  /** `json`: answers with search results, or rows. */
  readonly format: 'text' | 'workbook' | 'json';
  /** Of text. */
  readonly encoding: Encoding;
  /** Of text; undefined if each line is one keyword, or several with `separator` between them. */
  readonly delimiter: Delimiter | undefined;
  readonly separator?: Separator;
  /** Of text whose columns are padded with blanks: where each begins, in characters. */
  readonly columnsAt?: readonly number[];
  /** Of text with a delimiter: whether each line is quoted as a whole. */
  readonly isQuotedWhole?: true;
  /** Of text with a delimiter: whether blanks may stand between delimiters and quotes. */
  readonly isSpaced?: true;
  /** Of text: whether quotes are single ones. */
  readonly isSingleQuoted?: true;
  /** Of text whose lines have a keyword and a figure each, with no delimiter between them: where the figure is. */
  readonly figureAt?: FigurePlace;
  /** Of workbooks: the sheet that is read, others with the same header, which are read as well, and all visible sheets. */
  readonly sheet?: string;
  readonly alike?: readonly SheetAlike[];
  /** The market that the first of several sheets is named after, as all of them are. */
  readonly sheetMarket?: string;
  readonly sheets?: readonly string[];
  /** Undefined if the columns have no names of their own. */
  readonly header: { readonly line: number; readonly names: readonly string[] } | undefined;
  /** Records above the first row of data. */
  readonly skipped: number;
  /** The texts of the lines above the header. */
  readonly titles: readonly string[];
  readonly columns: readonly Column[];
  /** Whether keywords are written with their match types, as in accounts of ads: `[exact]`, `"phrase"`, `+broad`. */
  readonly hasMatchTypes?: true;
  /** What stands before most keywords and is no part of them: "1.", "iv." or a bullet. */
  readonly listMarks?: ListMarks;
  /** How signs are written, if not as they are. */
  readonly signs?: Signs;
  /** Of a table whose cells hold several keywords: what stands between them. The figures of its rows are those of no keyword. */
  readonly inCells?: InCells;
  readonly groupRows?: GroupRows;
  readonly outline?: Outline;
  /** The number of the column that names the kind of result that a row is about, if only organic ones count. */
  readonly resultKind?: number;
  readonly vendor: Vendor;
  /** A country in lower case, in Semrush's spelling (`uk`). */
  readonly market: string | undefined;
  /** The day of the export, `2026-04-30`. */
  readonly exported: string | undefined;
  readonly notes: readonly Note[];
};

/** What a person should know about a reading. */
export type Note =
  | { readonly code: 'summary-of-clusters'; readonly column: string }
  | { readonly code: 'no-keyword-column' }
  | { readonly code: 'no-volume' }
  /**
   * Of lines that are read as one field each: a sign that most of them have equally often, as if it stood between fields; the blank beside the
   * number that most of them begin or end with; or a line feed, if many are only numbers, like the cells of a table.
   */
  | { readonly code: 'unsplit'; readonly sign: string }
  /** Columns of numbers whose names say nothing. */
  | { readonly code: 'unread-figures'; readonly columns: readonly string[] }
  /** Figures of all countries that are used because the file has none of one country. */
  | { readonly code: 'global-figures'; readonly columns: readonly string[] }
  /** Columns that seem to be lists of their own beside the one that is read. */
  | { readonly code: 'other-lists'; readonly columns: readonly string[] }
  /** Words among figures, which count as unknown. */
  | { readonly code: 'words-in-figures'; readonly column: string; readonly words: readonly string[] }
  | { readonly code: 'filled-down'; readonly columns: readonly string[] }
  /** Rows that have nothing but a name, which may be the groups of the keywords below them. */
  | { readonly code: 'group-rows'; readonly column: string }
  /** Lines of a list without columns that may be headings: the groups of their keywords. */
  | { readonly code: 'group-lines' }
  /** Rows that seem to be groups: their figures are the sums of the rows below them, as in a pivot table. */
  | { readonly code: 'groups-in-rows'; readonly column: string }
  /** Most cells of the keywords hold several of them, so that the figures of a row are those of no keyword. */
  | { readonly code: 'keywords-in-cells'; readonly column: string }
  /** So many of the known costs per click are 0, which some tools write where they know nothing. */
  | { readonly code: 'zero-cpc'; readonly column: string; readonly share: number }
  /** Click rates or difficulties of at most 1, of which the sample is one: they may be shares or percentages. */
  | { readonly code: 'ctr-scale'; readonly column: string; readonly sample: number }
  /** Numbers of three digits after their only separator, of which the sample is one: thousands, as they are read then, or decimals. */
  | { readonly code: 'thousands-guess'; readonly column: string; readonly sample: string; readonly are: boolean }
  /** Figures that are counted and have decimals, in a column with an "M" in its name: these are read as millions. */
  | { readonly code: 'in-millions'; readonly column: string }
  /** Volumes in a column that is named after a whole year: sums, which are divided by 12, or perhaps means, which are read as they are. */
  | { readonly code: 'volume-of-year-divided'; readonly column: string }
  | { readonly code: 'volume-of-year'; readonly column: string }
  /** The first row has texts like all others, and none of them is known as a name: it is read as a header. */
  | { readonly code: 'header-guess'; readonly line: number }
  /** Keywords have several rows with different volumes, of which the last one counts. */
  | { readonly code: 'several-volumes'; readonly column: string }
  /** A column that is called like a position, but only counts the rows: it is left out. */
  | { readonly code: 'counts-rows'; readonly column: string }
  /** Months that are only numbered, of which the first one may be the oldest or the newest, as it is read then. */
  | { readonly code: 'month-order'; readonly column: string; readonly isNewest: boolean }
  /** Dates in which day and month cannot be told apart. */
  | { readonly code: 'date-order'; readonly column: string }
  /** The encoding is a guess: the first line of a file that shows a difference, in each encoding that is possible. */
  | { readonly code: 'encoding-guess'; readonly encoding: Encoding; readonly samples: readonly EncodingSample[] }
  /** The addresses of a column may be search results of anybody's pages, or the pages of one's own that rank. */
  | { readonly code: 'results-guess'; readonly column: string }
  /** Rows of a workbook that are read although they are hidden there. */
  | { readonly code: 'hidden-rows' }
  /** Sheets that are not read, because they have another header. */
  | { readonly code: 'other-sheets'; readonly sheets: readonly string[] };

export type EncodingSample = { readonly encoding: Encoding; readonly text: string };

/** What a person corrected by hand. */
export type Corrections = {
  readonly encoding?: Encoding;
  /** `lines`: one keyword per line. `figures`: one and its figure. `columns`: columns padded with blanks. */
  readonly delimiter?: Delimiter | 'lines' | 'figures' | 'columns';
  /** The line of the header; 0 for none. */
  readonly header?: number;
  readonly sheet?: string;
  readonly market?: string;
  /** By the number of the column, from 0. */
  readonly meanings?: Readonly<Record<number, Meaning>>;
  /** Whether empty cells of a level take the value above, and rows of groups are none of keywords, if that is how the list looks. */
  readonly fillsDown?: boolean;
  readonly isZeroCpcUnknown?: boolean;
  /** Whether click rates, and difficulties, of at most 1 are percentages, if nothing in the file shows it. */
  readonly isCtrPercent?: boolean;
  /** Whether "1.234" is a number of thousands, if nothing in the file shows it. */
  readonly areThousands?: boolean;
  readonly isDayFirst?: boolean;
  /** Whether the first one of months that are only numbered is the newest. */
  readonly isFirstMonthNewest?: boolean;
  /** Whether the addresses of the file are search results of anybody's pages. */
  readonly areResults?: boolean;
};

/** Corrections as somebody sent them: the names in them may be those of nothing. */
type SentCorrections = {
  readonly encoding?: string | undefined;
  readonly delimiter?: string | undefined;
  readonly meanings?: Readonly<Record<string, string>> | undefined;
};

/** Whether there are such encodings, delimiters and meanings. Sheets and columns are known once the file is read. */
export function areCorrections({ encoding, delimiter, meanings: given = {} }: SentCorrections): boolean {
  const isOf = (names: readonly string[], name: string | undefined) => name === undefined || names.includes(name);
  return (
    isOf(encodings, encoding) &&
    isOf([...delimiters, 'lines', 'figures', 'columns'], delimiter) &&
    Object.values(given).every((meaning) => isOf(meanings, meaning))
  );
}

/** Why a file cannot be read. */
export type Refusal =
  /**
   * `json`: a map, or another object. `rows-in-brackets`: rows of a program, such as `[("oak desk", 100)]`. `transposed`: rows and columns are
   * swapped.
   */
  | {
      readonly code:
        | 'zip'
        | 'old-excel'
        | 'web-page'
        | 'not-text'
        | 'json'
        | 'rows-in-brackets'
        | 'transposed'
        | 'no-rows';
    }
  /** There are rows, and none can be read: how many, and the first of them. */
  | {
      readonly code: 'all-unreadable';
      readonly rows: number;
      readonly problems: readonly Problem[];
    }
  /** The same of answers with search results. */
  | { readonly code: 'no-answers'; readonly rows: number; readonly problems: readonly Problem[] }
  | { readonly code: 'too-many-columns'; readonly columns: number }
  /** What was corrected is beyond the first rows, or beyond the columns, counted from 1. */
  | { readonly code: 'no-such-line'; readonly line: number }
  | { readonly code: 'no-such-number'; readonly column: number; readonly columns: number }
  | { readonly code: 'no-such-sheet'; readonly sheet: string; readonly sheets: readonly string[] }
  | { readonly code: 'workbook'; readonly what: WorkbookFault };

export type WorkbookFault = 'damaged' | 'entries' | 'size' | 'ratio' | 'repeats' | 'texts' | 'doctype' | 'no-sheet';

/** Why a row cannot be read. */
export type ProblemReason =
  | 'quote-not-closed'
  | 'field-too-long'
  | 'record-too-long'
  | 'not-in-encoding'
  | 'one-cell'
  | 'too-many-cells'
  | 'no-keyword'
  /** Of a list without columns. */
  | 'heading'
  /** Below a header of other columns. */
  | 'other-table'
  | 'keyword-too-long'
  /** Of JSON with search results: it is not valid, ends too early or is too long. */
  | 'answer-broken'
  | 'answer-cut'
  | 'answer-too-long'
  /** It is none of an interface that is known, or has no results because the search was not done. */
  | 'no-answer'
  | 'not-answered'
  /** It is for another place, language or device than the first one. */
  | 'other-place';

export type Problem = {
  readonly line: number;
  readonly reason: ProblemReason;
  /** The first 80 characters of the row. */
  readonly text: string;
};

/** Records or rows, in the order of the file. */
export type Rows = {
  /** The market of all of them, if their sheet is named after it. A country column wins. */
  readonly market?: string;
  /** The first line of each row, from 1; in a workbook, its row number. */
  readonly line: readonly number[];
  readonly cells: readonly (readonly string[])[];
};

/** Receives rows in batches of bounded size. */
export type RowSink = {
  rows(rows: Rows): void;
  problem(problem: Problem): void;
};

export const maxColumns = 1000;
export const maxKeywordLength = 2000;

/** The beginning of a row, for the list of unreadable rows. */
export const excerpt = (text: string): string => [...text.slice(0, 160)].slice(0, 80).join('');
