import type { Slice } from '@kc/pack/slice/slice';
import { decodeSlice } from '@kc/pack/slice/slice-wire';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ShownFile, showFile } from '../../../test/support/shown-file.ts';

// "Show the rest faintly": slices under a filter with rest=1, compared with totals computed directly from the file.

type Branch = { readonly name: string; readonly children?: readonly Branch[] };

const volumes: Readonly<Record<string, number | undefined>> = {
  'trail shoes': 300,
  'road shoes': 100,
  spikes: 40,
  sandals: undefined,
  flipflops: 250,
  hats: 90,
  caps: 20,
};
const tree: Branch = {
  name: 'shop',
  children: [
    { name: 'running', children: [{ name: 'spikes' }, { name: 'trail shoes' }, { name: 'road shoes' }] },
    { name: 'summer', children: [{ name: 'sandals' }, { name: 'flipflops' }, { name: 'trail shoes' }] },
    { name: 'heads', children: [{ name: 'hats' }, { name: 'caps' }] },
  ],
};

let shown: ShownFile;

beforeAll(async () => {
  const keywords = Object.entries(volumes).map(([keyword, volume]) => ({ keyword, volume }));
  shown = await showFile({ keywords, hierarchy: tree });
});
afterAll(() => shown.stop());

const ask = (asked: Record<string, string>): Promise<Response> => shown.get(`slice?${new URLSearchParams(asked)}`);
async function slice(asked: Record<string, string>): Promise<Slice> {
  const answer = await ask(asked);
  expect(answer.status).toBe(200);
  return decodeSlice(new Uint8Array(await answer.arrayBuffer()));
}

function pathsOf({ rows, parent, names, nameStart }: Slice): string[] {
  const paths: string[] = [];
  for (let row = 0; row < rows; row++) {
    const name = new TextDecoder().decode(names.subarray(nameStart[row], nameStart[row + 1]));
    paths.push(row === 0 ? name : `${paths[parent[row]!]}/${name}`);
  }
  return paths;
}

type Said = {
  readonly children: number;
  readonly ofKeywords: number;
  readonly leaves: number;
  readonly keywords: number;
  readonly volume: number;
};

/** The figures that a slice has for each path. */
function saidBy(found: Slice): Record<string, Said> {
  const of = (row: number): Said => ({
    children: found.childCount[row]!,
    ofKeywords: found.ofKeywords[row]!,
    leaves: found.leaves[row]!,
    keywords: found.keywords[row]!,
    volume: found.volume[row]!,
  });
  return Object.fromEntries(pathsOf(found).map((path, row) => [path, of(row)]));
}

/** The same from the file: `children` and `ofKeywords` of all nodes, the other figures of the kept keywords only. */
function saidByFile(keeps: (path: string, volume: number | undefined) => boolean): Record<string, Said> {
  const said: Record<string, Said> = {};
  const visit = ({ name, children = [] }: Branch, above: string): { all: string[]; kept: string[] } => {
    const path = above ? `${above}/${name}` : name;
    const below = children.map((child) => visit(child, path));
    const all = children.length > 0 ? below.flatMap((one) => one.all) : [name];
    const kept = children.length > 0 ? below.flatMap((one) => one.kept) : keeps(path, volumes[name]) ? [name] : [];
    const known = [...new Set(kept)].flatMap((keyword) => volumes[keyword] ?? []);
    said[path] = {
      children: children.length,
      ofKeywords: new Set(all).size,
      leaves: kept.length,
      keywords: new Set(kept).size,
      volume: known.length > 0 ? known.reduce((sum, volume) => sum + volume, 0) : Number.NaN,
    };
    return { all, kept };
  };
  visit(tree, '');
  return said;
}

const isHeavy = (_: string, volume = 0): boolean => volume >= 100;

// Shows P15.5.
test('under a range every position of the whole tree is present, with the figures of the kept keywords', async () => {
  const found = saidBy(await slice({ filter: 'volume-100_', rest: '1' }));
  expect(found).toEqual(saidByFile(isHeavy));
  // Literal totals, so that both computations cannot share a mistake: 300 + 100 + 250. "trail shoes" occurs twice.
  expect(found.shop).toEqual({ children: 3, ofKeywords: 7, leaves: 4, keywords: 3, volume: 650 });
  expect(found['shop/heads/caps']).toEqual({ children: 0, ofKeywords: 1, leaves: 0, keywords: 0, volume: Number.NaN });
});

test('a node hidden by its node ID is faint, and its namesakes elsewhere are not', async () => {
  const whole = await slice({});
  const at = pathsOf(whole).indexOf('shop/summer');
  const [high, low] = whole.address.subarray(2 * at, 2 * at + 2);
  const address = [high!, low!].map((half) => half.toString(16).padStart(8, '0')).join('');
  const found = saidBy(await slice({ filter: `outside-${address}`, rest: '1' }));
  expect(found).toEqual(saidByFile((path) => !path.startsWith('shop/summer/')));
  expect([found['shop/summer/trail shoes']!.keywords, found['shop/running/trail shoes']!.keywords]).toEqual([0, 1]);
});

test('kept children come before excluded siblings, and row numbers are those of the whole tree', async () => {
  const whole = await slice({});
  const found = await slice({ filter: 'volume-100_', rest: '1' });
  for (const column of ['node', 'parent', 'depth', 'address', 'names'] as const) {
    expect(found[column]).toEqual(whole[column]);
  }
  const paths = pathsOf(found);
  const inOrder = (above: string): string[] =>
    paths
      .map((path, row) => ({ path, order: found.order[row]! }))
      .filter(({ path }) => path.startsWith(above) && !path.slice(above.length).includes('/'))
      .sort((a, b) => a.order - b.order)
      .map(({ path }) => path.slice(above.length));
  expect(inOrder('shop/').at(-1)).toBe('heads');
  expect(inOrder('shop/running/').at(-1)).toBe('spikes');
  expect(inOrder('shop/summer/').at(-1)).toBe('sandals');
});

test('an excluded branch can be the root of a slice if excluded nodes are included, and does not exist otherwise', async () => {
  const whole = await slice({});
  const node = String(whole.node[pathsOf(whole).indexOf('shop/heads')]);
  const { rows, keywords, ofKeywords } = await slice({ filter: 'volume-100_', rest: '1', node });
  expect([rows, ...keywords, ...ofKeywords]).toEqual([3, 0, 0, 0, 2, 1, 1]);
  expect((await ask({ filter: 'volume-100_', node })).status).toBe(404);
  expect((await ask({ filter: 'volume-100_', node, rest: 'yes' })).status).toBe(404);
});

test('responses with and without excluded nodes are cached separately, and without a filter they are equal', async () => {
  const tagOf = async (asked: Record<string, string>) => (await ask(asked)).headers.get('etag');
  const [kept, withRest] = [await tagOf({ filter: 'volume-100_' }), await tagOf({ filter: 'volume-100_', rest: '1' })];
  expect(kept).not.toBe(withRest);
  expect(Object.keys(saidBy(await slice({ filter: 'volume-100_' })))).toHaveLength(7);
  expect(saidBy(await slice({ rest: '1' }))).toEqual(saidByFile(() => true));
});
