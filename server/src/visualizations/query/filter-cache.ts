import type { Filter } from '@kc/pack/filter/filter';
import { hasMarks, readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { type TextQuery, trimmed } from '@kc/pack/find/text-query';
import { scoreFieldName } from '@kc/pack/score/score-name';
import { countedFor, type RequestContext } from '../../accounts/require.ts';
import type { Db } from '../../database/open.ts';
import { consume, type Limit } from '../../http/rate-limits.ts';
import { asError } from '../../http/refusals.ts';
import type { OwnedRecord } from '../queries.ts';
import type { PackQueries } from './pack-queries.ts';

/** Sends the data about nodes that filters and slices need, but that their pack lacks, to the query thread, and returns its key. */
export type FindMarks = {
  /** @throws the refusal of somebody who may not read it, or of a filter that does not name the upload that it refers to */
  ofFilter(context: RequestContext, record: Pick<OwnedRecord, 'id'>, filter: Filter): Promise<string>;
  ofPlan(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
  ofWarnings(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
};

/**
 * The canonical text of a request's filter; empty for none. Its `seen` is replaced by the key of the marks as
 * they are now.
 *
 * @throws the refusal of a text that is no filter, or of one filter too many
 */
export type FilterCache = {
  (context: RequestContext, record: Pick<OwnedRecord, 'id'>, input: unknown): Promise<string>;
  /** The key of the plan whose statuses a slice includes. @throws the refusal of somebody who may not read it */
  plan(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
  /** The key of the judgements about warnings. @throws the refusal of somebody who may not read them */
  warnings(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
  /** Counts scores like filters. @throws the refusal of one too many */
  scores(context: RequestContext, record: Pick<OwnedRecord, 'id'>, texts: readonly string[]): Promise<void>;
  /** Counts searches like filters. @throws the refusal of one too many, or of a regular expression with an error */
  search(context: RequestContext, record: Pick<OwnedRecord, 'id'>, query: TextQuery): Promise<void>;
  /**
   * The canonical text of a filter to be saved. It applies to any plan and upload that it is used with.
   *
   * @throws the refusal of a text that is no filter
   */
  saved(text: string): Promise<string>;
};

/**
 * How many different filters, scores and searches a user or a link may request. Each costs a pass over the whole tree. The
 * page requests one whenever a drag or the typing pauses; nobody reaches this limit by hand.
 */
export const filterLimit: Limit = { name: 'filter', uses: 600, windowMs: 600_000 };
/** A screen makes many requests under one filter, and users switch between a few filters. */
const rememberedFilters = 32;
/** Further pages of the last search cost little. */
const rememberedSearches = 1;
const rememberedPeople = 2_000;

export function createFilterCache({
  db,
  marks,
  packQueries,
  now,
}: {
  readonly db: Db;
  readonly marks: FindMarks;
  readonly packQueries: Pick<PackQueries, 'patternProblem'>;
  now(): number;
}): FilterCache {
  /** The last filters of each user, and the last search. A Map and a Set keep insertion order. */
  const remembered = new Map<string, Set<string>>();

  async function count(context: RequestContext, item: string, isSearch = false): Promise<void> {
    const person = countedFor(context);
    const key = isSearch ? `search ${person}` : person;
    const last = remembered.get(key) ?? new Set<string>();
    remembered.delete(key);
    remembered.set(key, last);
    dropOldest(remembered, rememberedPeople);
    const isKnown = last.delete(item);
    last.add(item);
    if (isKnown) return;
    // Before it is counted: a screen makes several requests at once under a new filter.
    const dropped = dropOldest(last, isSearch ? rememberedSearches : rememberedFilters);
    const wait = await consume(db, filterLimit, person, now());
    if (wait === 0) return;
    last.delete(item);
    if (dropped !== undefined) last.add(dropped);
    throw asError({ code: 'visualization/filter-too-many', params: { seconds: wait } });
  }

  const filterOf = async (context: RequestContext, record: Pick<OwnedRecord, 'id'>, input: unknown) => {
    const filter = await filterIn(input);
    const seen = hasMarks(filter) ? await marks.ofFilter(context, record, filter) : '';
    const text = writeFilter({ ...filter, seen });
    if (text !== '') await count(context, `${record.id} ${text}`);
    return text;
  };

  async function filterIn(input: unknown): Promise<Filter> {
    const filter = readFilter(typeof input === 'string' ? input : input === undefined ? '' : '*');
    if (!filter) throw asError({ code: 'visualization/filter-invalid' });
    for (const part of filter.texts) await checkQuery(packQueries, part);
    return filter;
  }

  return Object.assign(filterOf, {
    plan: marks.ofPlan,
    warnings: marks.ofWarnings,
    async scores(context: RequestContext, { id }: Pick<OwnedRecord, 'id'>, texts: readonly string[]) {
      for (const text of texts) await count(context, `${id} ${scoreFieldName(text)}`);
    },
    async search(context: RequestContext, { id }: Pick<OwnedRecord, 'id'>, query: TextQuery) {
      const text = trimmed(query);
      if (text === '') return;
      await count(context, `${id} ${query.mode} ${text}`, true);
      await checkQuery(packQueries, query);
    },
    saved: async (text: string) => writeFilter({ ...(await filterIn(text)), seen: '' }),
  });
}

function dropOldest(entries: Map<string, unknown> | Set<string>, most: number): string | undefined {
  if (entries.size <= most) return undefined;
  const [oldest] = entries.keys();
  entries.delete(oldest!);
  return oldest;
}

/**
 * Compiles regular expressions in the query thread, where nobody's request to the server waits for it.
 *
 * @throws the refusal of a regular expression that cannot be compiled, with the index of the first wrong character
 */
export async function checkQuery(
  packQueries: Pick<PackQueries, 'patternProblem'>,
  { mode, text }: TextQuery,
): Promise<void> {
  if (mode !== 'regex' || text === '') return;
  const problem = await packQueries.patternProblem({ pattern: text });
  if (problem) throw asError({ code: 'visualization/pattern-invalid', params: { ...problem } });
}
