import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSharedEventStream, type OpenStream, type ServerEvent, type SharedEventStream } from './event-stream.ts';

type Heard = Parameters<OpenStream>[0];
type Tab = { readonly line: SharedEventStream; readonly told: ServerEvent[] };

/** Streams that are open at the server now, oldest first. */
let streams: Heard[];
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
  const told: ServerEvent[] = [];
  const tell = (event: ServerEvent) => void told.push(event);
  const tab = { line: createSharedEventStream({ name, tell, openStream, locks: locks.locks, isVisible: true }), told };
  tabs.push(tab);
  return tab;
}

/** Waits for locks and messages to be delivered. They are the platform's own, which has no event for that. */
const until = (wish: () => boolean) => vi.waitUntil(wish, { timeout: 5_000, interval: 1 });
const oneStream = () => until(() => streams.length === 1);

/** Waits until the tabs without the stream have joined and the stream is open. */
async function forgetJoining(others: number): Promise<void> {
  await until(() => tabs.filter(({ told }) => told.length === 2).length === others);
  expect(new Set(tabs.flatMap(({ told }) => told))).toEqual(new Set(['joined']));
  for (const { told } of tabs) told.length = 0;
}

test('once the stream is open, a page reloads what it read before it listened', async () => {
  const first = openTab();
  await oneStream();
  expect(first.told).toEqual([]);
  streams[0]!.onOpen();
  expect(first.told).toEqual(['joined']);
  const second = openTab();
  await until(() => second.told.length > 0);
  expect([first.told, second.told]).toEqual([['joined'], ['joined']]);
});

test('eight tabs share one stream, and each receives every event', async () => {
  const all = Array.from({ length: 8 }, () => openTab());
  await oneStream();
  streams[0]!.onOpen();
  streams[0]!.onEvent('settings');
  await until(() => all.every(({ told }) => told.includes('settings')));
  expect(streams).toHaveLength(1);
  expect(all.map(({ told }) => told.at(-1))).toEqual(all.map(() => 'settings'));
});

test('when the tab with the stream closes, another one opens it, and all tabs reload what they missed', async () => {
  const [first, second, third] = [openTab(), openTab(), openTab()];
  await oneStream();
  streams[0]!.onOpen();
  await forgetJoining(2);
  const before = streams[0];
  first.line.close();
  await until(() => streams.length === 1 && streams[0] !== before);
  streams[0]!.onOpen();
  streams[0]!.onEvent('session');
  await until(() => [second, third].every(({ told }) => told.length === 2));
  expect([first.told, second.told, third.told]).toEqual([[], ['missed', 'session'], ['missed', 'session']]);
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
  streams[0]!.onOpen();
  await forgetJoining(1);
  streams[0]!.onEnd();
  await until(() => other.told.length === 1);
  expect([streams.length, leader.told, other.told]).toEqual([0, ['session'], ['session']]);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(streams).toHaveLength(1);
  streams[0]!.onOpen();
  await until(() => other.told.length === 2);
  expect(other.told).toEqual(['session', 'missed']);
});

test('while the stream cannot be opened, everything is reloaded, at growing intervals', async () => {
  const { told } = openTab();
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
  expect(told).toEqual(['session', ...tries.slice(1).map(() => 'missed')]);
});

test('a visible tab takes over the stream of a suspended one', async () => {
  let isHeld = false;
  // Holds the lock and answers no messages.
  const asleep = navigator.locks.request(name, () => {
    isHeld = true;
    return new Promise(() => undefined);
  });
  const taken = expect(asleep).rejects.toThrow();
  await until(() => isHeld);
  const tab = openTab();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(streams).toHaveLength(0);
  await vi.advanceTimersByTimeAsync(1);
  await oneStream();
  await taken;
  streams[0]!.onOpen();
  expect(tab.told).toEqual(['joined', 'missed']);
});

test('a tab that responds keeps the stream', async () => {
  openTab();
  await oneStream();
  const { line } = openTab();
  const before = streams[0];
  for (let look = 0; look < 3; look++) {
    line.seen(true);
    // The answer is a message, which needs real time to pass.
    await until(() => vi.getTimerCount() === 0);
  }
  expect(streams).toEqual([before]);
});

test('without locks, each visible tab has a stream of its own, and a hidden tab has none', async () => {
  const [here, there] = [openTab({}), openTab({})];
  expect(streams).toHaveLength(2);
  there.line.seen(false);
  expect(streams).toHaveLength(1);
  streams[0]!.onEvent('accounts');
  there.line.seen(true);
  streams[1]!.onOpen();
  expect([here.told, there.told]).toEqual([['accounts'], ['missed']]);
});
