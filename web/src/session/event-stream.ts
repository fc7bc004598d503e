/**
 * The events of the server. An event says that something changed, but not what, so subscribers refetch. The client
 * raises two itself. `missed`: any other event may have been lost while no stream was open. `joined`: a page has just
 * subscribed, so anything it loaded before may be stale.
 */
export const serverEvents = ['session', 'accounts', 'settings', 'visualizations', 'drafts', 'plans'] as const;
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
  readonly onEvent: (event: ServerEvent) => unknown;
  readonly openStream: OpenStream;
  /** Absent if the browser does not support locks: then each visible tab opens its own stream. */
  readonly locks: Locks | undefined;
  readonly isVisible: boolean;
};

export type SharedEventStream = {
  /** Call when the visibility of the tab changes. A visible tab checks that the tab with the stream is awake. */
  readonly setVisible: (isVisible: boolean) => void;
  readonly close: () => void;
};

/** The delay before the stream is reopened. It grows with every failed attempt, which amounts to polling. */
const firstPauseMs = 2_000;
const longestPauseMs = 30_000;
/** If the tab with the stream does not answer within this time, it is asleep and another tab takes over. */
const answerTimeoutMs = 5_000;

/** Messages between tabs: an event, the question whether the tab with the stream is awake, and its answer. */
type Message = { readonly event: ServerEvent } | { readonly ask: true } | { readonly awake: true };

/**
 * Delivers server events to one tab, over one stream for all tabs of the browser. HTTP/1.1 allows six connections per
 * browser, so one stream per tab would leave none for the sixth tab.
 *
 * The tab that holds a lock has the stream and forwards its events. When that tab closes, the lock is released and the
 * next tab takes over. A suspended tab keeps its lock, so another tab steals it.
 *
 * Source: W3C "Web Locks API", `steal`; HTML "Server-sent events", on connections for several pages.
 */
export function createSharedEventStream(deps: SharedEventStreamDeps): SharedEventStream {
  const { name, onEvent, locks } = deps;
  const closed = new AbortController();
  let stream: EventStream | undefined;
  let releaseLock = (): void => undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;
  let answerTimer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  /** Whether this tab has the lock, and so the stream. */
  let isLeading = false;
  /** Whether events may have been missed while no stream was open. */
  let hasGap = false;
  let hasOpened = false;
  const channel = locks && new BroadcastChannel(name);

  /** Delivers an event to all tabs, this one included. */
  function broadcast(event: ServerEvent): unknown {
    post({ event });
    return onEvent(event);
  }

  function post(message: Message): void {
    if (!closed.signal.aborted) channel?.postMessage(message);
  }

  function open(): void {
    stream = deps.openStream({
      onOpen() {
        pauseMs = firstPauseMs;
        if (hasGap) broadcast('missed');
        else if (!hasOpened) broadcast('joined');
        hasGap = false;
        hasOpened = true;
      },
      onEvent: broadcast,
      onEnd: () => void ended(),
    });
  }

  /** The session may have ended with the stream, so check it first. Refetch everything while no stream opens. */
  async function ended(): Promise<void> {
    closeStream();
    const isFirst = !hasGap;
    hasGap = true;
    await broadcast(isFirst ? 'session' : 'missed');
    if (!isLeading || stream) return;
    reopenTimer = setTimeout(open, pauseMs);
    pauseMs = Math.min(longestPauseMs, 2 * pauseMs);
  }

  function closeStream(): void {
    clearTimeout(reopenTimer);
    stream?.close();
    stream = undefined;
  }

  /** Opens the stream while this tab has the lock. The lock is held until the returned promise resolves. */
  function lead(): Promise<void> {
    // The tab got the lock after it was closed, so release it.
    if (closed.signal.aborted) return Promise.resolve();
    isLeading = true;
    clearTimeout(answerTimer);
    open();
    return new Promise((done) => {
      releaseLock = done;
    });
  }

  /** Another tab has the stream. Events that it forwarded before this tab subscribed are lost. */
  function join(): void {
    void onEvent('joined');
  }

  function stopLeading(): void {
    isLeading = false;
    hasGap = true;
    closeStream();
    releaseLock();
  }

  /** Waits for the lock and leads while this tab has it. Repeats until the tab is closed. */
  async function leadInTurn(manager: Locks): Promise<void> {
    await manager.request(name, { ifAvailable: true }, (lock) => (lock ? lead() : join())).catch(() => undefined);
    while (!closed.signal.aborted) {
      // Another tab had the lock, or took it.
      stopLeading();
      await manager.request(name, { signal: closed.signal }, lead).catch(() => undefined);
    }
  }

  /** Checks whether the tab with the stream is awake, and takes over if it is not. */
  function checkLeader(manager: Locks): void {
    clearTimeout(answerTimer);
    if (isLeading) return;
    post({ ask: true });
    answerTimer = setTimeout(() => {
      if (!isLeading) manager.request(name, { steal: true }, lead).catch(stopLeading);
    }, answerTimeoutMs);
  }

  function setVisible(isVisible: boolean): void {
    if (locks && isVisible) checkLeader(locks);
    if (locks || isVisible === isLeading) return;
    if (isVisible) void lead();
    else stopLeading();
  }

  if (channel) {
    channel.onmessage = ({ data: message }: MessageEvent<Message>) => {
      if ('ask' in message) {
        if (isLeading) post({ awake: true });
        return;
      }
      clearTimeout(answerTimer);
      if ('event' in message) void onEvent(message.event);
    };
  }
  if (locks) void leadInTurn(locks);
  setVisible(deps.isVisible);
  return {
    setVisible,
    close() {
      closed.abort();
      clearTimeout(answerTimer);
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
