import type { Filter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { hasMarks } from '@kc/pack/filter/mark-text';
import { scoreFieldName } from '@kc/pack/score/score-name';
import { countedFor, type RequestContext } from '../../accounts/require.ts';
import type { Db } from '../../database/open.ts';
import { consume, type Limit } from '../../http/rate-limits.ts';
import { asError } from '../../http/refusals.ts';
import type { OwnedRecord } from '../queries.ts';
import { checkQuery } from './check-query.ts';

/** Names what filters and slices say about nodes that is not in their pack, after handing it to the query thread. */
export type FindMarks = {
  /** @throws the refusal of somebody who may not read it, or of a filter that does not say which upload it is about */
  ofFilter(context: RequestContext, record: Pick<OwnedRecord, 'id'>, filter: Filter): Promise<string>;
  ofPlan(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
  ofWarnings(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
};

/**
 * The canonical text of a request's filter; empty for none. What its `seen` says is replaced by the key of the marks as
 * they are now.
 *
 *
 * @throws the refusal of a text that is no filter, or of one filter too many
 */
export type FilterCache = {
  (context: RequestContext, record: Pick<OwnedRecord, 'id'>, given: unknown): Promise<string>;
  /** The key of the plan whose statuses a slice includes. @throws the refusal of somebody who may not read it */
  plan(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
  /** The key of the judgements about warnings. @throws the refusal of somebody who may not read them */
  warnings(context: RequestContext, record: Pick<OwnedRecord, 'id'>): Promise<string>;
  /** Counts scores like filters. @throws the refusal of one too many */
  scores(context: RequestContext, record: Pick<OwnedRecord, 'id'>, texts: readonly string[]): Promise<void>;
};

/**
 * How many different filters and scores a user may request. Each costs a pass over the whole tree. The page requests one whenever
 * a drag pauses; nobody reaches this limit by hand.
 */
export const filterLimit: Limit = { name: 'filter', uses: 600, windowMs: 600_000 };
/** A screen makes many requests under one filter, and users switch between a few filters. */
const rememberedEach = 32;
const rememberedPeople = 1_000;

export function createFilterCache({
  db,
  marks,
  now,
}: {
  readonly db: Db;
  readonly marks: FindMarks;
  now(): number;
}): FilterCache {
  /** The last filters of each user. A Map and a Set keep insertion order. */
  const remembered = new Map<string, Set<string>>();

  /** @returns whether the filter is not among the user's last ones */
  function isNew(person: string, filter: string): boolean {
    const last = remembered.get(person) ?? new Set<string>();
    remembered.delete(person);
    remembered.set(person, last);
    const isKnown = last.delete(filter);
    last.add(filter);
    dropOldest(last, rememberedEach);
    dropOldest(remembered, rememberedPeople);
    return !isKnown;
  }

  async function count(context: RequestContext, asked: string): Promise<void> {
    const person = countedFor(context);
    if (!isNew(person, asked)) return;
    const wait = await consume(db, filterLimit, person, now());
    if (wait === 0) return;
    remembered.get(person)?.delete(asked);
    throw asError({ code: 'visualization/filter-too-many', params: { seconds: wait } });
  }

  const filterOf = async (context: RequestContext, record: Pick<OwnedRecord, 'id'>, given: unknown) => {
    const filter = filterIn(given);
    const seen = hasMarks(filter) ? await marks.ofFilter(context, record, filter) : '';
    const text = writeFilter({ ...filter, seen });
    if (text !== '') await count(context, `${record.id} ${text}`);
    return text;
  };
  return Object.assign(filterOf, {
    plan: marks.ofPlan,
    warnings: marks.ofWarnings,
    async scores(context: RequestContext, { id }: Pick<OwnedRecord, 'id'>, texts: readonly string[]) {
      for (const text of texts) await count(context, `${id} ${scoreFieldName(text)}`);
    },
  });
}

/**
 * The canonical text of a filter that is kept, which is about whatever plan and upload it is used with.
 *
 * @throws the refusal of a text that is no filter
 */
export const canonicalFilter = (given: unknown): string => writeFilter({ ...filterIn(given), seen: '' });

function filterIn(given: unknown): Filter {
  const filter = readFilter(typeof given === 'string' ? given : given === undefined ? '' : '*');
  if (!filter) throw asError({ code: 'visualization/filter-invalid' });
  for (const part of filter.texts) checkQuery(part);
  return filter;
}

function dropOldest(kept: Map<string, unknown> | Set<string>, most: number): void {
  if (kept.size <= most) return;
  for (const oldest of kept.keys()) {
    kept.delete(oldest);
    return;
  }
}
