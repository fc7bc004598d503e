import type { serverEvents } from '../../src/session/event-stream.ts';

const open = new Set<FakeEventSource>();

/** In place of the browser's: it connects at once, and says what a test lets the server say. */
class FakeEventSource extends EventTarget {
  static readonly CLOSED = 2;
  readonly url: string;
  readyState = 0;
  constructor(url: string | URL) {
    super();
    this.url = String(url);
    open.add(this);
    queueMicrotask(() => {
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

/** The server says that something changed. */
export function serverSays(event: (typeof serverEvents)[number]): void {
  for (const stream of open) stream.dispatchEvent(new MessageEvent(event));
}
