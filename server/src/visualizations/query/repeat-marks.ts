import { currentRequest, type RequestTimes } from '../../request-times.ts';
import { type Marks, NoMarks } from './marks.ts';
import type { PackQueries } from './pack-queries.ts';
import { type Question, questions } from './query-messages.ts';

/** How the marks are read that a request has named, for as long as the request lasts. */
const named = new WeakMap<RequestTimes, Map<string, () => Promise<Marks>>>();

/** Remembers how marks are read, for queries of the current request that name them. */
export function rememberMarks(key: string, read: () => Promise<Marks>): void {
  const request = currentRequest();
  if (!request) return;
  const ofRequest = named.get(request) ?? new Map<string, () => Promise<Marks>>();
  named.set(request, ofRequest.set(key, read));
}

/** How often a query is repeated while others hand over so many marks that its own are dropped each time. */
const maxRepeats = 5;

/** Queries that are repeated, after what they name was handed over once more, if it was dropped before they needed it. */
export function repeatMarks(queries: PackQueries): PackQueries {
  const repeating = (question: Question) => {
    const query = queries[question] as (asked: object) => Promise<unknown>;
    return async (asked: object): Promise<unknown> => {
      let ask = () => query(asked);
      for (let repeats = 0; ; repeats++) {
        try {
          return await ask();
        } catch (error) {
          const request = currentRequest();
          const read = error instanceof NoMarks && request && named.get(request)?.get(error.key);
          if (!read || repeats === maxRepeats) throw error;
          const handed = { key: error.key, marks: await read() };
          // The query follows its marks at once, so that hardly anything comes between them.
          ask = async () => (await Promise.all([queries.keepMarks(handed), query(asked)]))[1];
        }
      }
    };
  };
  // An export that has failed between two parts has no next one.
  const repeated = questions.filter((question) => question !== 'nextPart').map((one) => [one, repeating(one)]);
  return { ...queries, ...(Object.fromEntries(repeated) as Partial<PackQueries>) };
}
