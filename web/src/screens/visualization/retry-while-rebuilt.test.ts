import type { Slice } from '@kc/pack/slice/slice';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExplorerStore } from '../../explore/model/explorer-state.ts';
import type { ExplorerSource } from '../../explore/model/source.ts';
import { defaultUrlState } from '../../explore/model/url-state.ts';
import { retryWhileRebuilt } from './retry-while-rebuilt.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const refused = (code: string) => Object.assign(new Error(code), { data: { code } });
const rebuilding = refused('visualization/being-rebuilt');

/** An explorer whose requests fail in turn, and then succeed. */
function explorerWith(failures: readonly Error[]) {
  const store = createExplorerStore(defaultUrlState, { isSmall: false, panelsOpen: true });
  const rest = [...failures];
  let requests = 0;
  const slice = async () => {
    requests++;
    const failure = rest.shift();
    if (failure) throw failure;
    return {} as Slice;
  };
  const start = vi.fn(async () => store.setState({ failure: undefined }));
  const stop = retryWhileRebuilt({ store, source: { slice } as unknown as ExplorerSource, start });
  return { store, start, stop, requests: () => requests };
}

// Shows P14.17.
test('a visualization that is being rebuilt opens by itself, and the message stays until then', async () => {
  const { store, start, requests } = explorerWith([rebuilding, rebuilding]);
  store.setState({ failure: rebuilding });
  await vi.advanceTimersByTimeAsync(7_000);
  expect([requests(), start.mock.calls.length, store.getState().failure]).toEqual([2, 0, rebuilding]);
  await vi.advanceTimersByTimeAsync(3_000);
  expect([requests(), start.mock.calls.length, store.getState().failure]).toEqual([3, 1, undefined]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(requests()).toBe(3);
});

test('a failure for another reason is shown', async () => {
  const { store, start } = explorerWith([refused('visualization/not-found')]);
  store.setState({ failure: rebuilding });
  await vi.advanceTimersByTimeAsync(3_000);
  expect(start).toHaveBeenCalledOnce();
});

test('other failures, a retry by the user and leaving the page send no request', async () => {
  const { store, stop, requests } = explorerWith([]);
  store.setState({ failure: new Error('offline') });
  await vi.advanceTimersByTimeAsync(10_000);
  store.setState({ failure: rebuilding });
  store.setState({ failure: undefined });
  await vi.advanceTimersByTimeAsync(10_000);
  store.setState({ failure: rebuilding });
  stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(requests()).toBe(0);
});
