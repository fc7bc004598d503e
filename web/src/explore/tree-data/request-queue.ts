import type { SliceQuery } from '@kc/pack/slice/slice';
import { sliceKey } from './loaded-slices.ts';

/** A request for the children of a node from the `skip`th one on. The greatest weight is sent first. */
export type ChildrenRequest = { readonly node: number; readonly skip: number; readonly weight: number };

/**
 * Why a request is sent: a caller awaits the response, a view shows the node, loaded rows lack a field, or the browser
 * is idle. Anything may replace a refetch or a prefetch, new requests replace requested ones, and only another awaited
 * one replaces an awaited one.
 */
export type Priority = 'awaited' | 'requested' | 'refetch' | 'prefetch';

type QueueDeps = {
  /** Whether nothing but awaited requests may be sent for now. */
  readonly isPaused: () => boolean;
  /** The query for requested children. */
  readonly queryFor: (request: ChildrenRequest) => SliceQuery;
  /** Whether the response to a query is known to add nothing. */
  readonly addsNothing: (query: SliceQuery) => boolean;
  readonly nextRefetch: () => SliceQuery | undefined;
  /** Whether an idle browser may find something to prefetch. Cheap. */
  readonly mayPrefetch: () => boolean;
  readonly nextPrefetch: () => SliceQuery | undefined;
  /** Sends a query with {@link RequestQueue.send}. */
  readonly load: (query: SliceQuery, priority: Priority) => void;
  /** Runs `work` when the browser is idle. @returns cancels it */
  readonly whenIdle: (work: () => void) => () => void;
  /** Called when a request failed that does not throw. */
  readonly onError: (error: unknown) => void;
};

type QueuedRequest<Response> = {
  readonly key: string;
  readonly priority: Priority;
  readonly fetch: (signal: AbortSignal) => Promise<Response>;
  /** Called unless the request was aborted. */
  readonly onResponse: (response: Response) => void;
  /** Whether a failure is thrown to the caller instead of being reported. */
  readonly throws: boolean;
};

type InFlight = { readonly key: string; readonly priority: Priority; readonly abort: AbortController };

/**
 * Sends one request at a time, in this order: what views have requested, a refetch, a prefetch when the browser is
 * idle. Awaited requests skip the queue. After an error it sends nothing in the background until the next request.
 */
export class RequestQueue {
  readonly #deps: QueueDeps;
  #requested: readonly ChildrenRequest[] = [];
  #inFlight: InFlight | undefined;
  #cancelIdle: (() => void) | undefined;
  #hasFailed = false;
  #isClosed = false;

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Replaces all earlier requests. Aborts the one in flight if it was requested earlier and is not any more. */
  request(requests: readonly ChildrenRequest[]): void {
    const { queryFor } = this.#deps;
    const current = this.#inFlight;
    const isCurrent = (one: ChildrenRequest) => sliceKey(queryFor(one)) === current?.key;
    this.#requested = requests.filter((one) => !isCurrent(one)).sort((a, b) => b.weight - a.weight);
    const isReplaced = isBackground(current) && this.#requested.length > 0;
    const isStale = current?.priority === 'requested' || isReplaced;
    if (isStale && !requests.some(isCurrent)) this.abort();
    this.sendNext();
  }

  /**
   * Sends a request at once. It takes the place of the one in flight.
   * @returns whether the response was used; false if the request was aborted, or failed and does not throw, and after
   *   {@link close}
   * @throws the error of the request, if it is to throw
   */
  async send<Response>({ key, priority, fetch, onResponse, throws }: QueuedRequest<Response>): Promise<boolean> {
    if (this.#isClosed) return false;
    this.abort();
    const mine: InFlight = { key, priority, abort: new AbortController() };
    const { signal } = mine.abort;
    this.#inFlight = mine;
    try {
      const response = await fetch(signal);
      if (signal.aborted) return false;
      this.#hasFailed = false;
      onResponse(response);
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      if (throws) throw error;
      this.#requested = [];
      this.#hasFailed = true;
      this.#deps.onError(error);
      return false;
    } finally {
      if (this.#inFlight === mine) {
        this.#inFlight = undefined;
        this.sendNext();
      }
    }
  }

  /** Sends the most urgent request, if none is in flight. */
  sendNext(): void {
    if (!this.#canSend()) return;
    const { queryFor, addsNothing, load, nextRefetch } = this.#deps;
    const next = this.#requested.find((one) => !addsNothing(queryFor(one)));
    this.#requested = this.#requested.filter((one) => one !== next);
    if (next) load(queryFor(next), 'requested');
    else if (!this.#hasFailed) {
      const refetch = nextRefetch();
      if (refetch) load(refetch, 'refetch');
      else this.#prefetchWhenIdle();
    }
  }

  /** Starts background work from the beginning: what it has to load has changed. */
  restartBackground(): void {
    this.#hasFailed = false;
    if (isBackground(this.#inFlight)) this.abort();
    this.sendNext();
  }

  /** Drops all requests of views, and forgets the last error. */
  clear(): void {
    this.#requested = [];
    this.#hasFailed = false;
  }

  /** Aborts the request in flight, and a prefetch that waits for the browser to be idle. */
  abort(): void {
    this.#cancelIdle?.();
    this.#inFlight?.abort.abort();
    this.#inFlight = undefined;
  }

  /** Aborts, and sends nothing more. */
  close(): void {
    this.#isClosed = true;
    this.abort();
  }

  #canSend(): boolean {
    return !this.#isClosed && !this.#inFlight && !this.#deps.isPaused();
  }

  #prefetchWhenIdle(): void {
    const { mayPrefetch, nextPrefetch, whenIdle, load } = this.#deps;
    if (!mayPrefetch()) return;
    this.#cancelIdle?.();
    this.#cancelIdle = whenIdle(() => {
      const next = nextPrefetch();
      if (next && this.#canSend()) load(next, 'prefetch');
    });
  }
}

function isBackground(request: InFlight | undefined): boolean {
  return request?.priority === 'refetch' || request?.priority === 'prefetch';
}
