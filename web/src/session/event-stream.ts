/**
 * The events of the server. An event says that something changed, but not what, so subscribers refetch. The client
 * raises two itself. `missed`: any other event may have been lost while no stream was open. `joined`: a page has just
 * subscribed, so anything it loaded before may be stale.
 */
export const serverEvents = ['session', 'accounts', 'settings', 'visualizations'] as const;
export type ServerEvent = (typeof serverEvents)[number] | 'missed' | 'joined';

/** An open event stream. `onEnd` is called once when it ends. */
export type EventStream = { readonly close: () => void };
export type OpenStream = (callbacks: {
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onEnd: () => void;
}) => EventStream;

type Locks = Pick<LockManager, 'request'>;

export type SharedEventStreamDeps = {
  /** Tabs of one browser with the same name share one stream. */
  readonly name: string;
  /** Called for every event. Its result is awaited before a stream that ended is reopened. */
  readonly tell: (event: ServerEvent) => unknown;
  readonly openStream: OpenStream;
  /** Absent if the browser does not support locks: then each visible tab opens its own stream. */
  readonly locks: Locks | undefined;
  readonly isVisible: boolean;
};

export type SharedEventStream = {
  /** Whether the tab is visible now. A visible tab checks that the tab with the stream is awake. */
  readonly seen: (isVisible: boolean) => void;
  readonly close: () => void;
};

/** The delay before the stream is reopened. It grows with every failed attempt, which amounts to polling. */
const firstPauseMs = 2_000;
const longestPauseMs = 30_000;
/** If the tab with the stream does not answer within this time, it is asleep and another tab takes over. */
const patienceMs = 5_000;

type Word = { readonly event: ServerEvent } | { readonly ask: true } | { readonly awake: true };

/**
 * Delivers server events to one tab, over one stream for all tabs of the browser. HTTP/1.1 allows six connections per
 * browser, so one stream per tab would leave none for the sixth tab.
 *
 * The tab that holds a lock has the stream and forwards its events. When that tab closes, the lock is released and the
 * next tab takes over. A suspended tab keeps its lock, so another tab steals it.
 *
 * Source: W3C "Web Locks API", `steal`; HTML "Server-sent events", on connections for several pages.
 */
export function createSharedEventStream(parts: SharedEventStreamDeps): SharedEventStream {
  const { name, tell, locks } = parts;
  const leaving = new AbortController();
  let stream: EventStream | undefined;
  let letGo = (): void => undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  let patience: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  let isLeading = false;
  /** Whether events may have been missed while no stream was open. */
  let hasGap = false;
  let hasOpened = false;
  const channel = locks && new BroadcastChannel(name);

  function pass(event: ServerEvent): unknown {
    say({ event });
    return tell(event);
  }

  function say(word: Word): void {
    if (!leaving.signal.aborted) channel?.postMessage(word);
  }

  function open(): void {
    stream = parts.openStream({
      onOpen() {
        pauseMs = firstPauseMs;
        if (hasGap) pass('missed');
        else if (!hasOpened) pass('joined');
        hasGap = false;
        hasOpened = true;
      },
      onEvent: pass,
      onEnd: () => void ended(),
    });
  }

  /** The session may have ended with the stream, so check it first. Refetch everything while no stream opens. */
  async function ended(): Promise<void> {
    closeStream();
    const isFirst = !hasGap;
    hasGap = true;
    await pass(isFirst ? 'session' : 'missed');
    if (!isLeading || stream) return;
    again = setTimeout(open, pauseMs);
    pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
  }

  function closeStream(): void {
    clearTimeout(again);
    stream?.close();
    stream = undefined;
  }

  /** Keeps the stream open until it is stopped. */
  function lead(): Promise<void> {
    // The tab got its turn after it had left: pass it on.
    if (leaving.signal.aborted) return Promise.resolve();
    isLeading = true;
    clearTimeout(patience);
    open();
    return new Promise((done) => {
      letGo = done;
    });
  }

  /** Another tab has the stream. Events that it forwarded before this tab subscribed are lost. */
  function join(): void {
    void tell('joined');
  }

  function stopLeading(): void {
    isLeading = false;
    hasGap = true;
    closeStream();
    letGo();
  }

  /** Waits for the lock and leads, again and again. */
  async function takeTurns(manager: Locks): Promise<void> {
    await manager.request(name, { ifAvailable: true }, (lock) => (lock ? lead() : join())).catch(() => undefined);
    while (!leaving.signal.aborted) {
      // Another tab had the lock, or took it.
      stopLeading();
      await manager.request(name, { signal: leaving.signal }, lead).catch(() => undefined);
    }
  }

  /** Checks whether the tab with the stream is awake, and takes over if it is not. */
  function wake(manager: Locks): void {
    clearTimeout(patience);
    if (isLeading) return;
    say({ ask: true });
    patience = setTimeout(() => {
      if (!isLeading) manager.request(name, { steal: true }, lead).catch(stopLeading);
    }, patienceMs);
  }

  function seen(isVisible: boolean): void {
    if (locks && isVisible) wake(locks);
    if (locks || isVisible === isLeading) return;
    if (isVisible) void lead();
    else stopLeading();
  }

  if (channel) {
    channel.onmessage = ({ data: word }: MessageEvent<Word>) => {
      if ('ask' in word) {
        if (isLeading) say({ awake: true });
        return;
      }
      clearTimeout(patience);
      if ('event' in word) void tell(word.event);
    };
  }
  if (locks) void takeTurns(locks);
  seen(parts.isVisible);
  return {
    seen,
    close() {
      leaving.abort();
      clearTimeout(patience);
      stopLeading();
      channel?.close();
    },
  };
}

/** The stream of this server. */
export const openServerStream: OpenStream = ({ onOpen, onEvent, onEnd }) => {
  const events = new EventSource('/api/events');
  events.addEventListener('open', onOpen);
  events.addEventListener('error', onEnd);
  for (const event of serverEvents) events.addEventListener(event, () => onEvent(event));
  return events;
};
