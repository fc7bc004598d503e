import type { Visualization } from '@kc/rules/shapes';
import { environmentManager, focusManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { refreshOptions } from './freshness.tsx';

const minute = 60_000;
const own = [{ isSample: false }] as Visualization[];
const sample = [{ isSample: true }] as Visualization[];

let queries: QueryClient;
let stop: () => void;
let looks: number;

beforeEach(() => {
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers();
  queries = new QueryClient();
  queries.mount();
  looks = 0;
});
afterEach(() => {
  stop();
  queries.unmount();
  queries.clear();
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

async function watch(refreshMs: number | false, all: Visualization[]): Promise<void> {
  const queryFn = async () => {
    looks++;
    return all;
  };
  stop = new QueryObserver(queries, { queryKey: ['v'], queryFn, ...refreshOptions(refreshMs) }).subscribe(
    () => undefined,
  );
  await pass(0);
  looks = 0;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

// Shows P11.9.
test('it checks as often as the setting says', async () => {
  await watch(5 * minute, own);
  await pass(16 * minute);
  expect(looks).toBe(3);
});

test('a hidden tab does not check, and checks at once on return if a check is overdue', async () => {
  await watch(5 * minute, own);
  focusManager.setFocused(false);
  await pass(16 * minute);
  expect(looks).toBe(0);
  focusManager.setFocused(true);
  await pass(1);
  expect(looks).toBe(1);
});

test('on an early return it waits for the interval', async () => {
  await watch(5 * minute, own);
  focusManager.setFocused(false);
  await pass(minute);
  focusManager.setFocused(true);
  await pass(1);
  expect(looks).toBe(0);
});

test('with manual refresh it never checks, unless the user has nothing yet', async () => {
  await watch(false, own);
  focusManager.setFocused(false);
  focusManager.setFocused(true);
  await pass(600 * minute);
  expect(looks).toBe(0);
  stop();
  queries.clear();
  await watch(false, sample);
  await pass(minute + 1_000);
  expect(looks).toBe(2);
});
