import { monthNamed } from '../../../pack/src/upload/written-dates.ts';
import type { Problem } from './reading.ts';

// Keywords with their figures as JSON: saved answers of DataForSEO, of its Labs (`keyword_suggestions`, `related_keywords`, `keyword_ideas`,
// `ranked_keywords`, `keyword_overview`, `bulk_keyword_difficulty`, `search_intent` and others) and of its Keywords Data API (`search_volume`,
// `keywords_for_keywords` and others).
// Source: the models of github.com/dataforseo/TypeScriptClient.

/** The lists that an answer has its keywords in, from the outside to the inside. In the Keywords Data API, results are keywords. */
export const listsOfAnswers = ['tasks', 'result', 'items'] as const;

const ofKeywords = /"(?:keyword_info|keyword_data|search_volume|keyword_difficulty|keyword_intent)"\s*:/u;
/** Answers of searches have one of these before a volume. */
const ofSearches = /"(?:rank_group|check_url|organic_results)"\s*:/u;
const ofMaps = /"(?:hierarchy|children|keywords)"\s*:\s*(?:\{|\[\s*\{)/u;

/** Whether a JSON file has such answers, or parts of them: results or items. @param head the beginning of the file */
export function holdsKeywordAnswers(head: string): boolean {
  const first = head.search(ofKeywords);
  const search = head.search(ofSearches);
  if (first < 0 || (search >= 0 && search < first) || ofMaps.test(head)) return false;
  return (
    /"(?:tasks|result|items)"\s*:\s*\[/u.test(head.slice(0, first)) ||
    (/"se_type"\s*:/u.test(head) && /"keyword_info"\s*:/u.test(head))
  );
}

type JsonRecord = Readonly<Record<string, unknown>>;
const recordIn = (value: unknown): JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : {};

/** What is wrong with an object, or that it has no keywords: a task without a result, or a result without items. */
type NoKeyword = { readonly fault?: Pick<Problem, 'reason' | 'text'> };

/** The members of one keyword, by names that tables have, too; the figures that are no keyword's own are left out. */
export function keywordOfAnswer(object: object): JsonRecord | NoKeyword {
  const item = object as JsonRecord;
  const data = 'keyword_data' in item ? recordIn(item.keyword_data) : item;
  if (typeof data.keyword !== 'string') return noKeyword(item);
  const [info, properties] = [recordIn(data.keyword_info), recordIn(data.keyword_properties)];
  const [intents, pages] = [recordIn(data.search_intent_info), recordIn(data.serp_info)];
  const ranked = recordIn(recordIn(item.ranked_serp_element).serp_item);
  const figures = 'keyword_info' in data ? info : data;
  const { competition_level: level, ...others } = Object.fromEntries(
    figureNames.filter((name) => name in figures).map((name) => [name, figures[name]]),
  );
  const members = {
    keyword: data.keyword,
    location_code: data.location_code,
    language_code: data.language_code,
    ...others,
    // Both say the same, one in a word.
    ...(others.competition === undefined && level !== undefined && { competition_level: level }),
    keyword_difficulty: properties.keyword_difficulty ?? data.keyword_difficulty,
    main_intent: intents.main_intent ?? recordIn(data.keyword_intent).label,
    foreign_intent: intents.foreign_intent,
    serp_item_types: pages.serp_item_types,
    trend: trendOf(figures.monthly_searches),
    last_updated_time: info.last_updated_time,
    ...('type' in ranked && { type: ranked.type, rank_group: ranked.rank_group, url: ranked.url, etv: ranked.etv }),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

const figureNames = [
  'search_volume',
  'cpc',
  'competition',
  'competition_level',
  'competition_index',
  'low_top_of_page_bid',
  'high_top_of_page_bid',
];

/** 20000 is "Ok."; a task that is only set, or has failed, has no result. */
function noKeyword({ status_code: code, status_message: message, data }: JsonRecord): NoKeyword {
  if (code === undefined) return {};
  const asked = recordIn(data);
  const text = `${String(asked.keyword ?? asked.keywords ?? '')}: ${String(code)} ${String(message)}`;
  return code === 20_000 ? {} : { fault: { reason: 'not-answered', text } };
}

/**
 * The searches of months, which an answer has in any order, as a series from the oldest on; unknown months are empty. Undefined
 * for another value.
 */
export function trendOf(months: unknown): string | undefined {
  if (!Array.isArray(months) || months.length === 0) return undefined;
  const searches = new Map(
    months.map(recordIn).map((one) => {
      const { year, month } = one;
      const number = monthNamed(String(month)) ?? Number(month);
      return [12 * Number(year) + number, one.search_volume ?? one.monthlySearches ?? one.monthly_searches];
    }),
  );
  const newest = Math.max(...searches.keys());
  const series = Array.from({ length: 12 }, (_, at) => searches.get(newest - 11 + at) ?? '');
  return Number.isNaN(newest) || searches.get(newest) === undefined ? undefined : series.join();
}
