import { readFilter } from '@kc/pack/filter/filter-text';
import { openPack } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { filterPack } from '@kc/pack/levels/filter-pack';
import { decodeSlice, encodeSlice } from '@kc/pack/slice/slice-wire';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { arraySink, arraySource } from '@kc/pack/test/support/trees';
import { writePack } from '@kc/pack/write/pack-writer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { unaskedSource } from '../../../test/support/source.ts';
import { createExplorer, type Explorer } from './explorer.ts';
import type { ExplorerSource } from './source.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Of four keywords, the first `known` have a volume. */
async function shopOf(known: number): Promise<ExplorerSource> {
  const children = ['red', 'green', 'blue', 'white'].map((name, at) => ({
    name,
    ...(at < known && { volume: 10 * (at + 1) }),
  }));
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(new TextEncoder().encode(JSON.stringify({ hierarchy: { name: 'shop', children } })));
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await openPack(arraySource(sink.bytes()));
  return {
    ...unaskedSource,
    async slice(query) {
      const filtered = query.filter ? await filterPack(pack, readFilter(query.filter)!) : pack;
      return decodeSlice(encodeSlice(await takeSlice(filtered, query)));
    },
    fields: async () => [],
    locate: async () => ({ path: [0] }),
  };
}

async function opened(source: ExplorerSource, search = ''): Promise<{ explorer: Explorer; go(search: string): void }> {
  let current = search;
  let heard = () => undefined as unknown;
  const explorer = createExplorer({
    visualization: { id: 'a', fileName: 'shop.json', nodes: 5 },
    linkId: 'a',
    isDefault: () => true,
    source,
    addressBar: {
      read: () => current,
      write: (next) => {
        current = next;
      },
      listen: (onChange) => {
        heard = onChange;
        return () => undefined;
      },
    },
    room: { isSmall: false, panelsOpen: true },
    explain: String,
  });
  await explorer.start();
  return {
    explorer,
    go(to) {
      current = to;
      heard();
    },
  };
}

const sizeOf = ({ store }: Explorer) => store.getState().size;
/** The filter keeps no keyword with a volume. */
const onlyUnknown = 'has-white';
const onlyKnown = 'has-red';

// Shows P14.14.
test.each([
  [0, 'keywords'],
  [1, 'keywords'],
  [2, 'volume'],
  [4, 'volume'],
])('with the volume of %i of 4 keywords known, the default size is %s', async (known, size) => {
  const { explorer } = await opened(await shopOf(known));
  expect(sizeOf(explorer)).toBe(size);
  expect(explorer.address.link()).toBe('?v=a');
});

// Shows P14.14.
test.each([
  [2, onlyUnknown, 'volume'],
  [1, onlyKnown, 'keywords'],
])(
  'with %i of 4 known, the filter %s does not change the default: set, cleared, or in the link',
  async (known, filter, size) => {
    const source = await shopOf(known);
    const { explorer } = await opened(source);
    for (const to of [filter, '', filter]) {
      expect(await explorer.setFilter(to, 0)).toBe(true);
      expect([explorer.store.getState().filter, sizeOf(explorer)]).toEqual([to, size]);
    }
    expect(await explorer.setFilter(filter, 0, true)).toBe(true);
    expect(sizeOf(explorer)).toBe(size);
    const { explorer: reopened } = await opened(source, explorer.address.link());
    expect([reopened.store.getState().filter, sizeOf(reopened)]).toEqual([filter, size]);
    expect(reopened.address.link()).toBe(explorer.address.link());
  },
);

test('a size in the link wins; the default is not written, and returns with the plain address', async () => {
  const { explorer, go } = await opened(await shopOf(4), '?size=keywords');
  expect(sizeOf(explorer)).toBe('keywords');
  expect(explorer.address.link()).toBe('?v=a&size=keywords');
  explorer.store.setState({ size: 'volume' });
  expect(explorer.address.link()).toBe('?v=a');
  explorer.store.setState({ size: 'equal' });
  go('');
  await vi.advanceTimersByTimeAsync(600);
  expect(sizeOf(explorer)).toBe('volume');
});

test('each visualization has its own default; an address opened on another one keeps only explicit choices', async () => {
  const { explorer } = await opened(await shopOf(4));
  expect(sizeOf((await opened(await shopOf(0), explorer.address.link())).explorer)).toBe('keywords');
  explorer.store.setState({ size: 'equal' });
  expect(sizeOf((await opened(await shopOf(0), explorer.address.link())).explorer)).toBe('equal');
});

test('a size by a field that the file lacks falls back to the default of the data', async () => {
  const { explorer } = await opened(await shopOf(4), '?size=field:Visits');
  await vi.advanceTimersByTimeAsync(600);
  expect(sizeOf(explorer)).toBe('volume');
});

test.each([
  [['clicks', 'Impressions'], 'field:Impressions'],
  [['clicks', 'traffic'], 'field:traffic'],
  [['clicks'], 'field:clicks'],
  [['sessions'], 'keywords'],
])('without volumes, and with %j, the size is %s', async (names, size) => {
  const fields = async () => names.map((name) => ({ name, kind: 'number', rollUp: 'sum', least: 0 }) as const);
  const { explorer } = await opened({ ...(await shopOf(0)), fields });
  expect([sizeOf(explorer), explorer.store.getState().defaultSize]).toEqual([size, size]);
  expect(explorer.address.link()).toBe('?v=a');
  const linked = await opened({ ...(await shopOf(0)), fields }, '?v=a&size=keywords');
  expect(sizeOf(linked.explorer)).toBe('keywords');
});
