/**
 * What the server tells of: it says that something changed and not what, so whoever hears it asks anew. `missed` comes
 * from the line itself: any of the others may have been told while nobody listened.
 */
export const serverEvents = ['session', 'accounts', 'settings', 'visualizations'] as const;
export type ServerEvent = (typeof serverEvents)[number] | 'missed';

/** A stream of events that is open. What ends it is said once, by `onEnd`. */
export type EventStream = { readonly close: () => void };
export type OpenStream = (heard: {
  readonly onOpen: () => void;
  readonly onEvent: (event: ServerEvent) => void;
  readonly onEnd: () => void;
}) => EventStream;

type Locks = Pick<LockManager, 'request'>;

export type SharedEventStreamDeps = {
  /** Tabs of one browser that have the same name share one stream. */
  readonly name: string;
  /** Told of every event. What it answers is waited for before a stream that ended is opened again. */
  readonly tell: (event: ServerEvent) => unknown;
  readonly openStream: OpenStream;
  /** Absent where the browser has none: then each tab that is looked at has a stream of its own. */
  readonly locks: Locks | undefined;
  readonly isVisible: boolean;
};

export type SharedEventStream = {
  /** Whether somebody looks at the tab now. Who does has whoever has the stream asked whether they are awake. */
  readonly seen: (isVisible: boolean) => void;
  readonly close: () => void;
};

/** After an end a stream is opened again, later each time while it does not come; then it is polling. */
const firstPauseMs = 2_000;
const longestPauseMs = 30_000;
/** A tab that has the stream and says nothing for so long is asleep, and another takes over. */
const patienceMs = 5_000;

type Word = { readonly event: ServerEvent } | { readonly ask: true } | { readonly awake: true };

/**
 * The events of the server for one tab, over one stream for all tabs of the browser: of six connections that HTTP/1.1
 * gives them together, nothing else would be left for the sixth tab.
 *
 * The tab that holds a lock has the stream and passes on what it hears. A tab that goes lets the lock go with it, however
 * it goes, and the next one is there. A tab that the system has put to sleep keeps its lock: it is taken from it.
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
  /** Whether something may have been told while nobody listened. */
  let hasGap = false;
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
        hasGap = false;
      },
      onEvent: pass,
      onEnd: () => void ended(),
    });
  }

  /** The session may have ended with the stream, so that is asked first; and while none comes, everything is. */
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

  /** Has the stream until it is stopped. */
  function lead(): Promise<void> {
    // The turn came after the tab had left: it is the next one's.
    if (leaving.signal.aborted) return Promise.resolve();
    isLeading = true;
    clearTimeout(patience);
    open();
    return new Promise((done) => {
      letGo = done;
    });
  }

  function stopLeading(): void {
    isLeading = false;
    hasGap = true;
    closeStream();
    letGo();
  }

  /** Has the lock whenever it is its turn. */
  async function takeTurns(manager: Locks): Promise<void> {
    // Who gets it at once has just loaded the page and missed nothing.
    await manager.request(name, { ifAvailable: true }, (lock) => (lock ? lead() : undefined)).catch(() => undefined);
    while (!leaving.signal.aborted) {
      // Somebody else had it, or took it.
      stopLeading();
      await manager.request(name, { signal: leaving.signal }, lead).catch(() => undefined);
    }
  }

  /** Asks whoever has the stream whether they are awake, and takes it from them if they are not. */
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
