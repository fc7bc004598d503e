import type { ServerTime } from '../api/read-at.ts';

/**
 * The events of the server. An event says that something changed, but not what, so subscribers refetch. The client
 * raises one itself. `missed`: any other event may have been lost, because no stream can be opened.
 */
export const serverEvents = ['session', 'accounts', 'settings', 'visualizations', 'drafts', 'plans'] as const;
export type ServerEventName = (typeof serverEvents)[number];
type ServerEvent = ServerEventName | 'missed';

/**
 * The known changes at the server: `at` is the time up to which `changed` has all of them, each kind with the
 * time of its last change. A kind that is absent may have changed at any time.
 */
export type KnownChanges = ServerTime & { readonly changed: { readonly [Name in ServerEventName]?: number } };

/** An event with its time at the server; that of `missed` is unknown. */
export type TimedEvent = { readonly event: ServerEvent; readonly at?: number };

/** An open event stream. `onEnd` is called once when it ends. */
type EventStream = { readonly close: () => void };
export type OpenStream = (callbacks: {
  /** @param known undefined if the server does not send them */
  readonly onOpen: (known: KnownChanges | undefined) => void;
  readonly onEvent: (event: ServerEventName, at: number) => void;
  readonly onEnd: () => void;
}) => EventStream;

type Locks = Pick<LockManager, 'request'>;

type SharedEventStreamDeps = {
  /** Tabs of one browser with the same name share one stream. */
  readonly name: string;
  /** Called for every event. Its result is awaited before a stream that ended is reopened. */
  readonly onEvent: (event: TimedEvent) => unknown;
  /**
   * Called when a stream has been opened, and when this tab has joined one: what it read before may be older than a
   * change.
   */
  readonly onOpen: (known: KnownChanges | undefined) => unknown;
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
const maxPauseMs = 30_000;
/** If the tab with the stream does not reply within this time, it is asleep and another tab takes over. */
const answerTimeoutMs = 5_000;

/**
 * Messages between tabs: an event, that a stream has been opened, the question whether the tab with the stream is awake,
 * and its reply, with the known changes once its stream is open.
 */
type Message =
  | { readonly event: TimedEvent }
  | { readonly opened: KnownChanges | undefined }
  | { readonly ask: true }
  | { readonly awake: { readonly known: KnownChanges | undefined } | undefined };

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
  const { name, onEvent, onOpen, locks } = deps;
  const closed = new AbortController();
  let stream: EventStream | undefined;
  let releaseLock = (): void => undefined;
  let reopenTimer: ReturnType<typeof setTimeout> | undefined;
  let answerTimer: ReturnType<typeof setTimeout> | undefined;
  let pauseMs = firstPauseMs;
  /** Whether this tab has the lock, and so the stream. */
  let isLeading = false;
  /** Whether the stream of this tab has ended and no other one has been opened since. */
  let hasGap = false;
  /** Of the open stream of this tab. */
  let opened: { readonly known: KnownChanges | undefined } | undefined;
  const channel = locks && new BroadcastChannel(name);

  /** Delivers an event to all tabs, this one included. */
  function broadcast(event: TimedEvent): unknown {
    post({ event });
    return onEvent(event);
  }

  function post(message: Message): void {
    if (!closed.signal.aborted) channel?.postMessage(message);
  }

  function open(): void {
    stream = deps.openStream({
      onOpen(known) {
        pauseMs = firstPauseMs;
        hasGap = false;
        opened = { known };
        post({ opened: known });
        onOpen(known);
      },
      onEvent(event, at) {
        const known = opened?.known;
        if (known) opened = { known: { ...known, at, changed: { ...known.changed, [event]: at } } };
        broadcast({ event, at });
      },
      onEnd: () => void ended(),
    });
  }

  /** The session may have ended with the stream, so check it first. Refetch everything while no stream opens. */
  async function ended(): Promise<void> {
    closeStream();
    const isFirst = !hasGap;
    hasGap = true;
    await broadcast({ event: isFirst ? 'session' : 'missed' });
    if (!isLeading || stream) return;
    reopenTimer = setTimeout(open, pauseMs);
    pauseMs = Math.min(maxPauseMs, 2 * pauseMs);
  }

  function closeStream(): void {
    clearTimeout(reopenTimer);
    stream?.close();
    stream = undefined;
    opened = undefined;
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

  /** Another tab has the stream. It sends the changes that are known already, now or once its stream is open. */
  function join(): void {
    post({ ask: true });
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
        if (isLeading) post({ awake: opened });
        return;
      }
      clearTimeout(answerTimer);
      if ('event' in message) void onEvent(message.event);
      else if ('opened' in message) void onOpen(message.opened);
      else if (message.awake) void onOpen(message.awake.known);
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

/** How long a server may take for its first event before it counts as one that does not send it. */
const firstEventMs = 2_000;

/** The stream of this server. */
export const openServerStream: OpenStream = ({ onOpen, onEvent, onEnd }) => {
  const events = new EventSource('/api/events');
  let timer: ReturnType<typeof setTimeout> | undefined;
  const close = () => {
    clearTimeout(timer);
    events.close();
  };
  events.addEventListener('open', () => {
    // A server of an earlier version does not send the changes before.
    timer = setTimeout(() => onOpen(undefined), firstEventMs);
  });
  events.addEventListener('opened', ({ data }) => {
    clearTimeout(timer);
    onOpen(JSON.parse(data) as KnownChanges);
  });
  events.addEventListener('error', onEnd);
  for (const event of serverEvents) {
    events.addEventListener(event, ({ data }) => onEvent(event, (JSON.parse(data) as ServerTime).at));
  }
  return { close };
};
