import type { RowReport } from './data-rows.ts';
import { JsonObjects } from './json-objects.ts';
import { keywordText } from './keyword-notation.ts';
import { originOfName } from './markets.ts';
import {
  type Column,
  type Corrections,
  excerpt,
  maxKeywordLength,
  type Problem,
  type ProblemReason,
  type Reading,
  type Rows,
} from './reading.ts';

// Search results as JSON: saved answers of the APIs of DataForSEO and SerpApi, one for each keyword.
// Sources: docs.dataforseo.com/v3/serp/google/organic (regular and advanced), serpapi.com/organic-results.

/** The endings of the names of such files. Their content decides. */
export const resultEndings = ['.json', '.jsonl', '.ndjson'] as const;

const ofAnswers = /"(?:tasks|organic_results|search_metadata|search_parameters|rank_group)"\s*:/u;
const ofMaps = /"(?:hierarchy|keywords|children)"\s*:/u;

/** Whether a JSON file has answers with search results and is not a map, judged by its beginning. */
export function holdsResults(head: string): boolean {
  const answers = head.search(ofAnswers);
  const maps = head.search(ofMaps);
  return answers >= 0 && (maps < 0 || answers < maps);
}

/** The reading of such a file. @param head its beginning, as text */
export function readingOfResults(name: string, head: string, corrections: Corrections): Reading {
  const rows: (readonly string[])[] = [];
  const sample = new ResultAnswers((found) => rows.push(...found.cells));
  sample.write(head);
  const vendor = /"(?:tasks|rank_group)"\s*:/u.test(head) ? 'dataforseo' : 'serpapi';
  return {
    format: 'json',
    encoding: 'utf-8',
    delimiter: undefined,
    header: undefined,
    skipped: 0,
    titles: [],
    columns: columns[vendor].map((column, at): Column => {
      const values = rows.map((cells) => cells[at]!).filter((cell) => cell !== '');
      return {
        name: column.name,
        meaning: corrections.meanings?.[at] ?? column.meaning,
        hasDecimalComma: false,
        sample: values[0],
        known: rows.length === 0 ? 0 : values.length / rows.length,
        ...(column.meaning === 'date' && { isDayFirst: false }),
      };
    }),
    vendor,
    market: corrections.market,
    exported: originOfName(name).exported,
    notes: [{ code: 'no-volume' }],
  };
}

type Named = Pick<Column, 'name' | 'meaning'>;
const columnsNamed = (keyword: string, rank: string, url: string, date: string): readonly Named[] => [
  { name: keyword, meaning: 'keyword' },
  { name: rank, meaning: 'resultRank' },
  { name: url, meaning: 'resultUrl' },
  { name: date, meaning: 'date' },
];
/** The members that the cells of a row are read from. */
const columns = {
  dataforseo: columnsNamed('keyword', 'rank_group', 'url', 'datetime'),
  serpapi: columnsNamed('q', 'position', 'link', 'created_at'),
} as const;

const listedProblems = 1000;

/** Reads answers while their text arrives. Each element of a member `tasks` is one, too. */
export class ResultAnswers {
  readonly report: RowReport = {
    rows: 0,
    known: [0, 0, 0, 0],
    zeroCosts: 0,
    highRates: [],
    unreadable: 0,
    problems: [],
    footers: [],
    cutAfter: undefined,
  };
  readonly #take: (rows: Rows) => void;
  readonly #objects: JsonObjects;
  #place: string | undefined;

  /** @param take receives rows of keyword, rank, address and date */
  constructor(take: (rows: Rows) => void) {
    this.#take = take;
    const sink = {
      object: (text: string, line: number) => this.#answer(text, line),
      problem: (reason: ProblemReason, line: number, text: string) => this.#problem(reason, line, text),
    };
    this.#objects = new JsonObjects(sink, ['tasks']);
  }

  write(text: string): void {
    this.#objects.write(text);
  }

  /** Must be the last call. */
  end(): RowReport {
    this.#objects.end();
    return this.report;
  }

  #answer(text: string, line: number): void {
    for (const found of answersOf(text)) {
      const fault = 'reason' in found ? found : this.#faultOf(found);
      if (fault) this.#problem(fault.reason, line, fault.text);
      else if ('results' in found) this.#pass(found, line);
    }
  }

  #faultOf({ keyword, place }: Answer): Fault | undefined {
    const text = keywordText(keyword, {});
    if (!/[\p{L}\p{N}\p{S}]/u.test(text)) return { reason: 'no-keyword', text: keyword };
    if (text.length > maxKeywordLength) return { reason: 'keyword-too-long', text };
    this.#place ??= place;
    return place === this.#place ? undefined : { reason: 'other-place', text: `${text}: ${place}` };
  }

  #pass({ keyword, date, results }: Answer, line: number): void {
    const rows = results.length > 0 ? results : [{ rank: '', url: '' }];
    const cells = rows.map(({ rank, url }) => [keyword, rank, url, date]);
    for (const row of cells) for (const [at, cell] of row.entries()) if (cell !== '') this.report.known[at]!++;
    this.report.rows += cells.length;
    this.#take({ line: cells.map(() => line), cells });
  }

  #problem(reason: ProblemReason, line: number, text: string): void {
    const { problems } = this.report;
    this.report.unreadable++;
    const problem: Problem = { line, reason, text: excerpt(text.trim()) };
    if (problems.length < listedProblems) problems.push(problem);
  }
}

/** The organic results of one keyword. `place`: where and on which device it was searched. */
type Answer = {
  readonly keyword: string;
  readonly place: string;
  readonly date: string;
  readonly results: readonly { readonly rank: string; readonly url: string }[];
};
type Fault = Pick<Problem, 'reason' | 'text'>;
type JsonRecord = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordIn = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
const recordsIn = (value: unknown): readonly JsonRecord[] => (Array.isArray(value) ? value.filter(isRecord) : []);
const textIn = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? `${value}` : '');

/** A task of DataForSEO, its result alone, or an answer of SerpApi. */
function answersOf(text: string): readonly (Answer | Fault)[] {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return [{ reason: 'answer-broken', text }];
  }
  if (!isRecord(answer)) return [];
  if ('search_parameters' in answer || 'organic_results' in answer || 'search_metadata' in answer)
    return [answerOfSerpApi(answer)];
  if ('items' in answer && 'keyword' in answer) return [answerOfResult(answer, '')];
  if (!('result' in answer) && !('status_code' in answer))
    return [{ reason: 'no-answer', text: JSON.stringify(answer) }];
  const data = recordIn(answer.data);
  const results = recordsIn(answer.result);
  // 20000 is "Ok."; a task that is only set, or has failed, has no results.
  if (results.length === 0) {
    const said = [textIn(answer.status_code), textIn(answer.status_message)].filter(Boolean).join(' ');
    return [{ reason: 'not-answered', text: [textIn(data.keyword), said].filter(Boolean).join(': ') }];
  }
  return results.map((result) => answerOfResult({ keyword: data.keyword, ...result }, textIn(data.device)));
}

/** `rank_group` counts among results of one kind, and `rank_absolute` among everything on the page. */
function answerOfResult(result: JsonRecord, device: string): Answer | Fault {
  const items = recordsIn(result.items);
  // The whole page as HTML has items of no type.
  const areKnown = 'items' in result && (items.length === 0 || items.some(({ type }) => typeof type === 'string'));
  if (!areKnown) return { reason: 'no-answer', text: JSON.stringify(result) };
  return {
    keyword: textIn(result.keyword),
    place: placeOf(result.location_code, result.language_code, device),
    date: textIn(result.datetime).slice(0, 10),
    results: items
      .filter(({ type, url }) => type === 'organic' && textIn(url) !== '')
      .map((item) => ({ rank: textIn(item.rank_group) || textIn(item.rank_absolute), url: textIn(item.url) })),
  };
}

/** What SerpApi answers for a page without results. Any other error is a fault. */
const noResults = /hasn't returned any results/iu;

function answerOfSerpApi(answer: JsonRecord): Answer | Fault {
  const [parameters, metadata] = [recordIn(answer.search_parameters), recordIn(answer.search_metadata)];
  const keyword = textIn(parameters.q);
  const error = textIn(answer.error);
  if (error !== '' && !noResults.test(error)) return { reason: 'not-answered', text: `${keyword}: ${error}` };
  const organic = recordsIn(answer.organic_results).filter(({ link }) => textIn(link) !== '');
  const positions = organic.map(({ position }, at) => (typeof position === 'number' ? position : at + 1));
  // Positions either begin with 1 on each page of results or continue. With those before added, results of all pages are in order in both cases.
  const before = Number(textIn(parameters.start)) || 0;
  return {
    keyword,
    place: placeOf(parameters.location_used ?? parameters.location, parameters.gl, parameters.hl, parameters.device),
    date: textIn(metadata.created_at).slice(0, 10),
    results: organic.map(({ link }, at) => ({ rank: `${before + positions[at]!}`, url: textIn(link) })),
  };
}

const placeOf = (...parts: readonly unknown[]): string => parts.map(textIn).filter(Boolean).join(', ');
