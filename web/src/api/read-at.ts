/** A time of one server. Times of different servers cannot be compared. */
export type ServerTime = { readonly server: string; readonly at: number };

/**
 * The times at which answers were read, as the server says with each of them. A page whose event stream opens compares
 * them with the times of the last changes.
 */
type ReadTimes = {
  /** Like `fetch`, and notes when the server began its answer. */
  readonly send: typeof fetch;
  /** The time of the oldest answer so far; undefined if there is none, or answers of several servers. */
  readonly oldest: () => ServerTime | undefined;
  /** Counts only the newest answer from now on: the page shows nothing of the others any more. */
  readonly keepNewest: () => void;
};

export function createReadTimes(send: typeof fetch): ReadTimes {
  /** Undefined before the first answer, null once the answers cannot be compared. */
  let oldest: ServerTime | null | undefined;
  let newest: ServerTime | undefined;
  const note = (next: ServerTime | undefined): void => {
    newest = next;
    if (oldest === null) return;
    if (next === undefined || (oldest && oldest.server !== next.server)) oldest = null;
    else if (!oldest || next.at < oldest.at) oldest = next;
  };
  return {
    async send(target, options) {
      const answer = await send(target, options);
      note(timeIn(answer.headers.get('read-at')));
      return answer;
    },
    oldest: () => oldest ?? undefined,
    keepNewest() {
      oldest = newest;
    },
  };
}

/** Reads "server 12.345". */
function timeIn(text: string | null): ServerTime | undefined {
  const [server, at] = text?.split(' ') ?? [];
  return server && at ? { server, at: Number(at) } : undefined;
}
