import { type ServerEventName, serverEvents } from '../../src/session/event-stream.ts';
import { changeHere, serverTime, timesHere } from './fake-times.ts';

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
      // Like the server: when each kind of change happened last.
      const changed = Object.fromEntries(serverEvents.map((event) => [event, timesHere().changed(event)]));
      this.say('opened', { server: timesHere().server, at: serverTime(), changed });
    });
  }
  say(event: string, data: object): void {
    this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) }));
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

/** Something changed at the server, which says so to the pages that listen. */
export function serverSays(event: ServerEventName): void {
  const at = changeHere(event);
  for (const stream of open) if (stream.readyState === 1) stream.say(event, { at });
}

/** Whether a page has asked for a stream, which it does once it has a lock. It may still be held. */
export const asksForStream = (): boolean => open.size > 0;

/** Whether a page listens. */
export const isHeard = (): boolean => [...open].some(({ readyState }) => readyState === 1);

/** The connection of every page that listens breaks. */
export function streamsBreak(): void {
  for (const stream of open) stream.dispatchEvent(new Event('error'));
}
