import { resultsMember } from '../../../pack/src/shared-urls/results.ts';
import { intentBits } from '../../../pack/src/upload/intent-texts.ts';
import { firstTrendField, trendField } from '../../../pack/src/upload/trend-columns.ts';
import { bestAddresses } from './address-levels.ts';
import type { FigureName } from './figures.ts';
import type { Keywords } from './keywords.ts';
import type { Postings } from './postings.ts';
import type { TextColumn } from './text-column.ts';

type Value = number | string | readonly (number | string)[] | undefined;

/** What is known about keywords under one name, parallel to them. NaN and undefined are unknown. */
type NamedValues = { readonly name: string; readonly values: ArrayLike<Value> };

const figureMembers: Readonly<Record<FigureName, string>> = {
  volume: 'search_volume',
  difficulty: 'keyword_difficulty',
  cpc: 'cpc',
  competition: 'competition',
  position: 'position',
  previousPosition: 'previous_position',
  traffic: 'traffic',
  trafficPotential: 'traffic_potential',
  trafficCost: 'traffic_cost',
  clicks: 'clicks',
  impressions: 'impressions',
  ctr: 'ctr',
};

/**
 * The members of keywords in an uploaded JSON file: figures, lists and texts under names that are recognised there, and
 * columns that are kept as they are under their own. The levels of the grouping are its nodes and no members.
 */
export function uploadFields(keywords: Keywords): NamedValues[] {
  const { figures, intents, serpFeatures, trend, urls, results, texts } = keywords;
  const fields: NamedValues[] = [];
  for (const [name, values] of Object.entries(figures))
    fields.push({ name: figureMembers[name as FigureName], values: name === 'difficulty' ? onScale(values) : values });
  if (intents.some((bits) => bits !== 0))
    fields.push({ name: 'intent', values: Array.from(intents, (bits) => intentLists[bits]) });
  if (serpFeatures) fields.push({ name: 'serp_features', values: listsOf(serpFeatures, partsOf) });
  if (trend) {
    const hasMonths = trendField(trend.name) > firstTrendField;
    fields.push({ name: hasMonths ? trend.name : 'trend', values: listsOf(trend, seriesOf) });
  }
  if (urls) fields.push({ name: 'url', values: Array.from(bestAddresses(urls), (url) => urls.names[url]) });
  if (results)
    fields.push({ name: resultsMember, values: rankedAddresses(results).map((list) => list.slice(0, maxResults)) });
  for (const column of texts) {
    if (column.meaning.startsWith('level')) continue;
    fields.push({ name: column.name, values: listsOf(column, (text) => text) });
  }
  return fields;
}

/** Difficulties, with a percent sign behind those that would be read as shares of 1 if the file had no others. */
const onScale = (difficulties: Float64Array): Value[] =>
  Array.from(difficulties, (value) => (value > 0 && value < 1 ? `${value}%` : value));

/** The maximum number of results that are kept of a keyword: as many as a person may choose to compare. */
const maxResults = 30;

/** The addresses of each keyword, the best position first; those without one come last, in file order. */
export function rankedAddresses({ start, url, position, names }: Postings): string[][] {
  const rank = (at: number) => (Number.isNaN(position[at]!) ? Number.POSITIVE_INFINITY : position[at]!);
  return Array.from({ length: start.length - 1 }, (_, keyword) => {
    const places = Array.from({ length: start[keyword + 1]! - start[keyword]! }, (__, at) => start[keyword]! + at);
    // The difference of two infinite ranks would be NaN.
    return places
      .sort((one, other) => (rank(one) === rank(other) ? one - other : rank(one) - rank(other)))
      .map((at) => names[url[at]!]!);
  });
}

/** By row, what its text stands for. Each different text is read once. */
function listsOf<Of extends Value>({ values, codes }: TextColumn, read: (text: string) => Of): (Of | undefined)[] {
  const known = values.map(read);
  return Array.from(codes, (code) => (code < 0 ? undefined : known[code]));
}

const intentLists = Array.from({ length: 16 }, (_, bits) =>
  Object.entries(intentBits).flatMap(([name, bit]) => ((bits & bit) !== 0 ? [name] : [])),
);

const partsOf = (list: string): string[] =>
  list
    .split(/[,;|]/u)
    .map((part) => part.trim())
    .filter((part) => part !== '');

/** The numbers of "[1, 2]" or "0.67,0.81"; NaN for a gap. */
const seriesOf = (text: string): number[] =>
  text
    .replaceAll(/^\s*\[|\]\s*$/gu, '')
    .split(/[,;]/u)
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
