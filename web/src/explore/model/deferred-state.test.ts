import { beforeEach, expect, test, vi } from 'vitest';
import { createDeferredState, createExplorerStore } from './explorer-state.ts';
import { readUrlState } from './url-state.ts';

let store: ReturnType<typeof createExplorerStore>;
let deferred: ReturnType<typeof createDeferredState>;
/** The selection at each notification. */
let seen: number[];

beforeEach(() => {
  vi.useFakeTimers();
  store = createExplorerStore(readUrlState(''), { isSmall: false, panelsOpen: true });
  deferred = createDeferredState(store);
  seen = [];
  deferred.subscribe(() => seen.push(store.getState().selected));
  return () => vi.useRealTimers();
});

const select = (selected: number) => store.setState({ selected });

test('listeners are notified at once of changes made outside the chart', () => {
  select(1);
  expect(seen).toEqual([1]);
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});

test('a change made in the chart applies at once and notifies listeners in a separate task', () => {
  deferred.follow(() => select(1));
  expect(store.getState().selected).toBe(1);
  expect(seen).toEqual([]);
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});

test('once a change made in the chart is known, listeners are notified at once of the next one', () => {
  deferred.follow(() => select(1));
  vi.runAllTimers();
  select(2);
  expect(seen).toEqual([1, 2]);
});

test('two actions in one task cause one notification', () => {
  deferred.follow(() => select(1));
  deferred.follow(() => select(2));
  store.setState({ zoom: 120 });
  vi.runAllTimers();
  expect(seen).toEqual([2]);
});

test('an action without changes causes no notification', () => {
  deferred.follow(() => undefined);
  vi.runAllTimers();
  expect(seen).toEqual([]);
});

test('an action that throws still publishes the changes it made', () => {
  const fail = () => {
    select(1);
    throw new Error('broken');
  };
  expect(() => deferred.follow(fail)).toThrow('broken');
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});

test('listeners are notified at once when the filter changes, because rows then refer to other nodes', () => {
  deferred.follow(() => select(1));
  store.setState({ filter: 'text:shoe', filtering: undefined });
  expect(seen).toEqual([]);
  store.setState({ filtering: 'text:boot' });
  expect(seen).toEqual([1]);
});

test('a caller can request pending notifications', () => {
  deferred.follow(() => select(1));
  deferred.flush();
  expect(seen).toEqual([1]);
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});
