import { currentRequest, type RequestTimes } from '../../request-times.ts';
import { type Marks, NoMarks } from './marks.ts';
import type { PackQueries } from './pack-queries.ts';
import { type Question, questions } from './query-messages.ts';

/** How to read the marks that a request has named, for as long as the request lasts. */
const named = new WeakMap<RequestTimes, Map<string, () => Promise<Marks>>>();

/** Remembers how to read marks, for queries of the current request that name them. */
export function rememberMarks(key: string, read: () => Promise<Marks>): void {
  const request = currentRequest();
  if (!request) return;
  const ofRequest = named.get(request) ?? new Map<string, () => Promise<Marks>>();
  named.set(request, ofRequest.set(key, read));
}

/** How often a query is repeated while other requests cache so many marks that its own are evicted each time. */
const maxRepeats = 5;

/** Queries that are repeated if their marks were evicted before they needed them. The marks are cached again first. */
export function repeatMarks(queries: PackQueries): PackQueries {
  const repeating = (question: Question) => {
    const query = queries[question] as (params: object) => Promise<unknown>;
    return async (params: object): Promise<unknown> => {
      let run = () => query(params);
      for (let repeats = 0; ; repeats++) {
        try {
          return await run();
        } catch (error) {
          const request = currentRequest();
          const read = error instanceof NoMarks && request && named.get(request)?.get(error.key);
          if (!read || repeats === maxRepeats) throw error;
          const dropped = { key: error.key, marks: await read() };
          // The query follows its marks at once, so that hardly anything comes between them.
          run = async () => (await Promise.all([queries.keepMarks(dropped), query(params)]))[1];
        }
      }
    };
  };
  // An export that has failed between two parts has no next one.
  const repeated = questions.filter((question) => question !== 'nextPart').map((one) => [one, repeating(one)]);
  return { ...queries, ...(Object.fromEntries(repeated) as Partial<PackQueries>) };
}
