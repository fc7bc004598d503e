/** A time of one server. Times of different servers cannot be compared. */
export type ServerTime = { readonly server: string; readonly at: number };

/**
 * The times at which responses were read, which the server sends with each of them. A page whose event stream opens
 * compares them with the times of the last changes.
 */
type ReadTimes = {
  /** Like `fetch`, and records when the server began its response. */
  readonly send: typeof fetch;
  /** The time of the oldest response so far; undefined if there is none, or responses of several servers. */
  readonly oldest: () => ServerTime | undefined;
  /** Counts only the newest response from now on: the page no longer shows anything of the others. */
  readonly keepNewest: () => void;
};

export function createReadTimes(send: typeof fetch): ReadTimes {
  /** Undefined before the first response, null once the responses cannot be compared. */
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
      const response = await send(target, options);
      note(timeIn(response.headers.get('read-at')));
      return response;
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
