// Shows REL-38.
import { setImmediate } from 'node:timers/promises';
import { readSort } from '@kc/pack/levels/row-sort';
import { arraySink, arraySource, treeOf } from '@kc/pack/test/support/trees';
import { defaultThresholds as defaultChanges } from '@kc/pack/vocabulary/changes';
import { defaultThresholds } from '@kc/pack/vocabulary/warnings';
import { writePack } from '@kc/pack/write/pack-writer';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Storage } from '../../storage/storage.ts';
import type { PackQueries } from './pack-queries.ts';

/** Counts the pauses of all work, and tells somebody about each. */
const work = vi.hoisted(() => ({ pauses: 0, onPause: (): void => undefined }));
vi.mock('./cancellation.ts', () => ({
  pauseFor: (signal?: AbortSignal) => async () => {
    work.pauses++;
    work.onPause();
    await setImmediate();
    signal?.throwIfAborted();
  },
}));

const stored = new Map<string, Uint8Array>();
const storage = {
  async open(key: string) {
    const bytes = stored.get(key)!;
    return { ...arraySource(bytes), size: bytes.length, close: async () => undefined };
  },
} as unknown as Storage;
let createPackQueries: typeof import('./pack-queries.ts').createPackQueries;
let queries: PackQueries;

/** Enough rows for several pieces of each pass over them. */
async function packOf(first: string): Promise<Uint8Array> {
  const clusters = Array.from({ length: 300 }, (_, at) => {
    const keywords = Array.from({ length: 1000 }, (_, nth) => `k${at * 1000 + nth}#${(at * nth) % 977}`);
    return `c${at} (${keywords.join(' ').replaceAll('#', ' ')})`;
  });
  const sink = arraySink();
  await writePack(treeOf(`root (${first} ${clusters.join(' ')})`), '00'.repeat(32), sink);
  return sink.bytes();
}

beforeAll(async () => {
  // Files share the modules of their worker: here they are loaded again with this pause, and afterwards without it.
  vi.resetModules();
  ({ createPackQueries } = await import('./pack-queries.ts'));
  stored.set('after', await packOf('new 5'));
  stored.set('before', await packOf('old 7'));
  stored.set('file', new TextEncoder().encode('{}'));
});
afterAll(() => vi.resetModules());
beforeEach(() => {
  // Without what earlier tests have cached.
  queries = createPackQueries(storage);
  work.onPause = () => undefined;
});

const warned = { packKey: 'after', fileKey: 'file', filter: '', thresholds: defaultThresholds, dismissed: [] };
const compared = { vsKey: 'before', thresholds: defaultChanges };
const list = { level: 'keywords', within: 0 } as const;
const plot = { ...list, x: 'volume', y: 'keywords', size: 'volume' };
const entries = [{ id: 'e', rank: 1, paths: [[['c7', 0]] as const] }];

type Asked = { readonly signal?: AbortSignal };
const asking: Record<string, (asked: Asked) => Promise<unknown>> = {
  warningSummary: (asked) => queries.warningSummary({ ...warned, ...asked }),
  warningMarks: (asked) => queries.warningMarks({ ...warned, withUnknown: true, ...asked }),
  changes: (asked) =>
    queries.changes({
      ...{ packKey: 'after', ...compared, ...asked },
      query: { level: 'keywords', kind: undefined, from: 0, count: 10, within: undefined },
    }),
  points: (asked) => queries.points({ packKey: 'after', query: { ...plot, count: 100, names: 10 }, ...asked }),
  checkScore: (asked) => queries.checkScore({ packKey: 'after', score: 'branch.volume*2', ...list, ...asked }),
  search: (asked) =>
    queries.search({ packKey: 'after', query: { mode: 'regex', text: 'k.*7', limit: 5, skip: 0, under: 0 }, ...asked }),
  rows: (asked) =>
    queries.rows({
      ...{ packKey: 'after', ...asked },
      query: { ...list, from: 0, count: 10, sort: readSort('name')!, fields: [], withTrends: false },
    }),
  planTotals: (asked) => queries.planTotals({ packKey: 'after', version: '1', entries, branch: 1, ...asked }),
  export: async ({ signal }) => {
    const query = { form: 'csv', ...list, node: 0, sort: readSort('name')!, filter: '' } as const;
    const { number } = await queries.beginExport({ packKey: 'after', fileKey: 'file', query });
    signal?.addEventListener('abort', () => void queries.endExport({ number }));
    try {
      return await queries.nextPart({ number });
    } finally {
      await queries.endExport({ number });
    }
  },
};

test.each(Object.keys(asking))('%s does nothing more when its requester has gone', async (question) => {
  const gone = new AbortController();
  work.onPause = () => gone.abort(new Error('gone'));
  await expect(asking[question]!({ signal: gone.signal })).rejects.toThrow();
  const { pauses } = work;
  for (let turn = 0; turn < 50; turn++) await setImmediate();
  expect(work.pauses).toBe(pauses);
  work.onPause = () => undefined;
  expect(await asking[question]!({})).toBeDefined();
});

test.each(Object.keys(asking))('%s is answered to somebody who waits for the same', async (question) => {
  const gone = new AbortController();
  const left = asking[question]!({ signal: gone.signal });
  const stays = asking[question]!({});
  work.onPause = () => gone.abort(new Error('gone'));
  await expect(left).rejects.toThrow();
  expect(await stays).toBeDefined();
});
