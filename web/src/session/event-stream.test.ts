import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  createSharedEventStream,
  type KnownChanges,
  type OpenStream,
  type SharedEventStream,
  type TimedEvent,
} from './event-stream.ts';

type Callbacks = Parameters<OpenStream>[0];
/** What a tab has received: events, and `opened` with the time up to which the server knows all changes. */
type Tab = { readonly line: SharedEventStream; readonly received: string[]; readonly known: KnownChanges[] };

const knownAt = (at: number, changed: KnownChanges['changed'] = {}): KnownChanges => ({ server: 'one', at, changed });

/** Streams that are open at the server now, oldest first. */
let streams: Callbacks[];
let tabs: Tab[];
let name: string;
let named = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  streams = [];
  tabs = [];
  name = `events ${named++}`;
});
afterEach(() => {
  for (const { line } of tabs) line.close();
  vi.useRealTimers();
});

const openStream: OpenStream = (callbacks) => {
  streams.push(callbacks);
  return {
    close: () => {
      streams = streams.filter((one) => one !== callbacks);
    },
  };
};

function openTab(locks: { locks?: LockManager } = navigator): Tab {
  const received: string[] = [];
  const known: KnownChanges[] = [];
  const onEvent = ({ event }: TimedEvent) => void received.push(event);
  const onOpen = (changes: KnownChanges | undefined) => {
    received.push(`opened ${changes?.at}`);
    if (changes) known.push(changes);
  };
  const tab = {
    line: createSharedEventStream({ name, onEvent, onOpen, openStream, locks: locks.locks, isVisible: true }),
    received,
    known,
  };
  tabs.push(tab);
  return tab;
}

/** Waits for a condition by polling, because the platform has no event for the delivery of locks and messages. */
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 60_000, interval: 1 });
const oneStream = () => until(() => streams.length === 1);

/** Waits until every tab knows that the stream is open, and discards what it received until then. */
async function forgetOpening(): Promise<void> {
  await until(() => tabs.every(({ received }) => received.length > 0));
  // A tab that asked just before the stream was opened receives this a second time.
  const other = openTab();
  await until(() => other.received.length > 0);
  other.line.close();
  expect(new Set(tabs.flatMap(({ received }) => received))).toEqual(new Set(['opened 1']));
  for (const { received } of tabs) received.length = 0;
}

test('a tab is told what the server knows once the stream is open, and a tab that joins what it has said since', async () => {
  const first = openTab();
  await oneStream();
  expect(first.received).toEqual([]);
  streams[0]!.onOpen(knownAt(7, { session: 3, settings: 5 }));
  expect(first.known).toEqual([knownAt(7, { session: 3, settings: 5 })]);
  streams[0]!.onEvent('settings', 9);
  const second = openTab();
  await until(() => second.received.length > 0);
  expect(second.known[0]).toEqual(knownAt(9, { session: 3, settings: 9 }));
});

test('a tab that joins before the stream is open is told when it is', async () => {
  const [first, second] = [openTab(), openTab()];
  await oneStream();
  streams[0]!.onOpen(knownAt(1));
  await until(() => second.received.length > 0);
  expect([first.known, second.known[0]]).toEqual([[knownAt(1)], knownAt(1)]);
});

test('eight tabs share one stream, and each receives every event', async () => {
  const all = Array.from({ length: 8 }, () => openTab());
  await oneStream();
  streams[0]!.onOpen(knownAt(1));
  streams[0]!.onEvent('settings', 2);
  await until(() => all.every(({ received }) => received.includes('settings')));
  expect(streams).toHaveLength(1);
  expect(all.map(({ received }) => received.filter((event) => event === 'settings'))).toEqual(
    all.map(() => ['settings']),
  );
});

test('when the tab with the stream closes, another one opens it, and all tabs are told what it knows', async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await oneStream();
  streams[0]!.onOpen(knownAt(1));
  await forgetOpening();
  const before = streams[0];
  first.line.close();
  await until(() => streams.length === 1 && streams[0] !== before);
  streams[0]!.onOpen(knownAt(5));
  streams[0]!.onEvent('session', 6);
  await until(() => [second, third].every(({ received }) => received.length === 2));
  expect([first.received, second.received, third.received]).toEqual([
    [],
    ['opened 5', 'session'],
    ['opened 5', 'session'],
  ]);
});

test('a tab that closes before it gets the lock opens no stream', async () => {
  const turns: (() => unknown)[] = [];
  const request = (_name: string, _options: LockOptions, work: LockGrantedCallback<unknown>) =>
    new Promise((done) => {
      turns.push(() => done(work({ name, mode: 'exclusive' })));
    });
  const { line } = openTab({ locks: { request } as unknown as LockManager });
  line.close();
  await turns[0]!();
  expect(streams).toHaveLength(0);
});

test('when a stream ends, all tabs check their session, and the stream is opened again', async () => {
  const [leader, other] = [openTab(), openTab()];
  await oneStream();
  streams[0]!.onOpen(knownAt(1));
  await forgetOpening();
  streams[0]!.onEnd();
  await until(() => other.received.length === 1);
  expect([streams.length, leader.received, other.received]).toEqual([0, ['session'], ['session']]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(streams).toHaveLength(1);
  streams[0]!.onOpen(knownAt(5));
  await until(() => other.received.length === 2);
  expect(other.received).toEqual(['session', 'opened 5']);
});

test('while the stream cannot be opened, everything is reloaded, at growing intervals', async () => {
  const { received } = openTab();
  await oneStream();
  const tries: number[] = [];
  for (let second = 0; second <= 120; second++) {
    if (streams[0]) {
      tries.push(second);
      streams[0].onEnd();
    }
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(tries).toEqual([0, 2, 6, 14, 30, 60, 90, 120]);
  expect(received).toEqual(['session', ...tries.slice(1).map(() => 'missed')]);
});

test('a visible tab takes over the stream of a suspended one', async () => {
  let isHeld = false;
  // A suspended tab holds the lock and replies to no messages.
  const asleep = navigator.locks.request(name, () => {
    isHeld = true;
    return new Promise(() => undefined);
  });
  const stolen = expect(asleep).rejects.toThrow();
  await until(() => isHeld);
  const tab = openTab();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(streams).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  await oneStream();
  await stolen;
  streams[0]!.onOpen(knownAt(1));
  expect(tab.received).toEqual(['opened 1']);
});

test('a tab that responds keeps the stream', async () => {
  openTab();
  await oneStream();
  const { line } = openTab();
  const before = streams[0];
  for (let look = 0; look < 3; look++) {
    line.setVisible(true);
    // The reply is a message, which takes real time to arrive.
    await until(() => vi.getTimerCount() === 0);
  }
  expect(streams).toEqual([before]);
});

test('without locks, each visible tab has a stream of its own, and a hidden tab has none', async () => {
  const [here, there] = [openTab({}), openTab({})];
  expect(streams).toHaveLength(2);
  there.line.setVisible(false);
  expect(streams).toHaveLength(1);
  streams[0]!.onEvent('accounts', 2);
  there.line.setVisible(true);
  streams[1]!.onOpen(knownAt(1));
  expect([here.received, there.received]).toEqual([['accounts'], ['opened 1']]);
});
