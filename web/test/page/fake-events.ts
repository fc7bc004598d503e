import type { serverEvents } from '../../src/session/event-stream.ts';

const open = new Set<FakeEventSource>();
let mayOpen = Promise.resolve();

/** In place of the browser's: it connects at once unless a test holds it, and says what a test lets the server say. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly url: string;
  readyState = 0;
  constructor(url: string | URL) {
    super();
    this.url = String(url);
    open.add(this);
    void mayOpen.then(() => {
      if (!open.has(this)) return;
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
    });
  }
  close(): void {
    this.readyState = FakeEventSource.CLOSED;
    open.delete(this);
  }
}

globalThis.EventSource = FakeEventSource as unknown as typeof EventSource;

/** From now on no page begins to listen, until the function that this returns is called. */
export function holdStreams(): () => void {
  let letOpen = (): void => undefined;
  mayOpen = new Promise((opened) => {
    letOpen = opened;
  });
  return () => {
    letOpen();
    mayOpen = Promise.resolve();
  };
}

/** The server says that something changed. */
export function serverSays(event: (typeof serverEvents)[number]): void {
  for (const stream of open) stream.dispatchEvent(new MessageEvent(event));
}
