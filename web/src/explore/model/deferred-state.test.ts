import { beforeEach, expect, test, vi } from 'vitest';
import { createDeferredState } from './deferred-state.ts';
import { createExplorerStore } from './explorer-state.ts';
import { readUrlState } from './url-state.ts';

let store: ReturnType<typeof createExplorerStore>;
let look: ReturnType<typeof createDeferredState>;
/** The selection at each notification. */
let seen: number[];

beforeEach(() => {
  vi.useFakeTimers();
  store = createExplorerStore(readUrlState(''), { isSmall: false, panelsOpen: true });
  look = createDeferredState(store);
  seen = [];
  look.subscribe(() => seen.push(store.getState().selected));
  return () => vi.useRealTimers();
});

const select = (selected: number) => store.setState({ selected });

test('the lists are told at once of what was not done to the picture', () => {
  select(1);
  expect(seen).toEqual([1]);
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});

test('what is done to the picture is so at once, and told in a task of its own', () => {
  look.follow(() => select(1));
  expect(store.getState().selected).toBe(1);
  expect(seen).toEqual([]);
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});

test('two acts of one task, and what came of them, are told once', () => {
  look.follow(() => select(1));
  look.follow(() => select(2));
  store.setState({ zoom: 120 });
  vi.runAllTimers();
  expect(seen).toEqual([2]);
});

test('an act that changes nothing tells nothing', () => {
  look.follow(() => undefined);
  vi.runAllTimers();
  expect(seen).toEqual([]);
});

test('an act that fails is told of as far as it came', () => {
  const fail = () => {
    select(1);
    throw new Error('broken');
  };
  expect(() => look.follow(fail)).toThrow('broken');
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});

test('no list lags behind another filter, under which rows are other nodes', () => {
  look.follow(() => select(1));
  store.setState({ filter: 'text:shoe', filtering: undefined });
  expect(seen).toEqual([]);
  store.setState({ filtering: 'text:boot' });
  expect(seen).toEqual([1]);
});

test('who needs the lists as they are has them catch up', () => {
  look.follow(() => select(1));
  look.catchUp();
  expect(seen).toEqual([1]);
  vi.runAllTimers();
  expect(seen).toEqual([1]);
});
