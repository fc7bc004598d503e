import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { locate, locateLast, pathTo } from '../format/locate.ts';
import { namesAt } from '../format/names-at.ts';
import { openPack } from '../format/pack-reader.ts';
import { createIngest } from '../ingest.ts';
import { writePack } from '../write/pack-writer.ts';
import { describeNode } from './node-detail.ts';

async function ingest(file: unknown) {
  const bytes = new TextEncoder().encode(typeof file === 'string' ? file : JSON.stringify(file));
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(bytes);
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  return { pack: await openPack(arraySource(sink.bytes())), original: arraySource(bytes) };
}

const shop = {
  keywords: [
    {
      keyword: 'Trail shoes',
      search_volume: 90,
      keyword_difficulty: 40,
      cpc: 1.5,
      intent: ['commercial'],
      trend: [1, 2],
    },
    'road shoes',
  ],
  hierarchy: {
    name: 'Shoes',
    type: 'root',
    note: { by: 'Ann', children: 'kept: it is no child' },
    children: [
      {
        name: 'Running',
        type: 'cluster',
        owner: 'Zoë',
        children: [
          { name: 'trail shoes', type: 'keyword' },
          { name: 'road shoes', type: 'keyword', search_volume: 10, extra: null },
        ],
        after: 'the children',
      },
    ],
  },
};

test('a branch has its path, its totals, and its members except the children', async () => {
  const { pack, original } = await ingest(shop);
  const detail = await describeNode(pack, 1, original);
  expect(detail).toMatchObject({
    node: 1,
    name: 'Running',
    type: 'cluster',
    depth: 1,
    branchNodes: 3,
    children: 2,
    keywords: 2,
    repeats: 0,
    volume: { value: 100, known: 2 },
    difficulty: { value: 40, weighted: 40, known: 1 },
    cpc: { value: 1.5, weighted: 1.5, known: 1 },
    position: { known: 0 },
    intent: { informational: 0, navigational: 0, commercial: 1, transactional: 0, known: 1 },
    topKeyword: { node: 2, name: 'trail shoes', volume: 90 },
  });
  expect(detail.path.map(({ node, name }) => [node, name])).toEqual([
    [0, 'Shoes'],
    [1, 'Running'],
  ]);
  expect(detail.original).toEqual({
    node: { name: 'Running', type: 'cluster', owner: 'Zoë', after: 'the children' },
  });
  expect(detail.position).not.toHaveProperty('value');
});

test('a keyword has every member of its entry, whether or not it is a known field', async () => {
  const { pack, original } = await ingest(shop);
  const { original: members } = await describeNode(pack, 2, original);
  expect(members).toEqual({ node: { name: 'trail shoes', type: 'keyword' }, keyword: shop.keywords[0] });
});

test('a keyword that is only a text has no members', async () => {
  const { pack, original } = await ingest(shop);
  const { original: members } = await describeNode(pack, 3, original);
  expect(members).toEqual({ node: { name: 'road shoes', type: 'keyword', search_volume: 10, extra: null } });
});

test('for the root, only the bytes around its children are read', async () => {
  const children = Array.from({ length: 20_000 }, (_, index) => ({ name: `keyword ${index}` }));
  const { pack, original } = await ingest({ hierarchy: { name: 'r', tag: 'first', children, last: 1 } });
  const detail = await describeNode(pack, 0, original);
  expect(detail.original.node).toEqual({ name: 'r', tag: 'first', last: 1 });
  expect(original.bytesRead).toBeLessThan(200);
});

test('members between two lists of children are returned, and the lists are not', async () => {
  const children = ['a', 'b'].map((name) => ({ name }));
  const keywords = [{ keyword: 'c' }, 'd'];
  const { pack, original } = await ingest({ hierarchy: { name: 'r', children, note: 'between', keywords, last: 1 } });
  const detail = await describeNode(pack, 0, original);
  expect(detail.children).toBe(4);
  expect(detail.original.node).toEqual({ name: 'r', note: 'between', last: 1 });
  const plain = await ingest({ hierarchy: { name: 'r', keywords: 4, children } });
  expect((await describeNode(plain.pack, 0, plain.original)).original.node).toEqual({ name: 'r', keywords: 4 });
});

test('members between two lists are returned in an indented file, whatever the order of the children in the pack', async () => {
  const volumes = Array.from({ length: 300 }, (_, at) => ({
    name: `k${at}`,
    type: 'keyword',
    volume: (at * 7919) % 301,
  }));
  const hierarchy = {
    name: 'r',
    children: volumes.slice(0, 200),
    note: 'between',
    keywords: volumes.slice(200),
    last: 1,
  };
  for (const indent of [0, 2, 8]) {
    const { pack, original } = await ingest(JSON.stringify({ hierarchy }, undefined, indent));
    const detail = await describeNode(pack, 0, original);
    expect(detail.children).toBe(300);
    expect(detail.original.node).toEqual({ name: 'r', note: 'between', last: 1 });
  }
});

test('members too large for any screen are omitted', async () => {
  const { pack, original } = await ingest({ hierarchy: { name: 'r', text: 'x'.repeat(2_000_000) } });
  expect((await describeNode(pack, 0, original)).original).toEqual({});
});

test('a node is found by its node ID and by no other', async () => {
  const { pack, original } = await ingest(shop);
  for (let node = 0; node < pack.metadata.nodes; node++) {
    const { address, path } = await describeNode(pack, node, original);
    expect(address).toMatch(/^[0-9a-f]{16}$/);
    expect([...(await locate(pack, address))!]).toEqual(path.map((step) => step.node));
  }
  expect(await locate(pack, '0123456789abcdef')).toBeUndefined();
  expect(await locate(pack, 'not an address')).toBeUndefined();
});

test('of several node IDs the last one that exists is found, wherever it is', async () => {
  const { pack, original } = await ingest(shop);
  const nodes = await Promise.all([0, 1, 2, 3].map((node) => describeNode(pack, node, original)));
  const [root, first, second] = nodes.map((node) => node.address);
  const gone = '0123456789abcdef';
  const at = async (...addresses: string[]) => (await locateLast(pack, addresses))?.at(-1);
  expect(await at(root!, first!, gone)).toBe(1);
  expect(await at(second!, first!)).toBe(1);
  expect(await at(root!, gone, 'no address')).toBe(0);
  expect(await at(gone)).toBeUndefined();
  expect(await at()).toBeUndefined();
});

test('a row that is not a node is rejected', async () => {
  const { pack, original } = await ingest(shop);
  await expect(describeNode(pack, 4, original)).rejects.toThrow(RangeError);
  await expect(pathTo(pack, -1)).rejects.toThrow(RangeError);
});

test('the path to a node 5,000 levels down is found', async () => {
  const levels = 5000;
  const { pack } = await ingest(
    `{"hierarchy":${'{"name":"x","children":['.repeat(levels)}{"name":"y"}${']}'.repeat(levels)}}`,
  );
  const path = await pathTo(pack, levels);
  expect(path.length).toBe(levels + 1);
  expect(await namesAt(pack, path.slice(-2))).toEqual(['x', 'y']);
});

test.each(['list', 'object'])('of a member nested as %ss 50,000 deep, the upper levels are shown', async (kind) => {
  const [open, close] = kind === 'list' ? ['[', ']'] : ['{"a":', '}'];
  const deep = `${open!.repeat(50_000)}1${close!.repeat(50_000)}`;
  const file = `{"keywords":[{"keyword":"k","x":${deep}}],"hierarchy":{"name":"r","x":${deep},"children":[{"name":"k"}]}}`;
  const { pack, original } = await ingest(file);
  const [root, keyword] = [await describeNode(pack, 0, original), await describeNode(pack, 1, original)];
  const shown = `${open!.repeat(32)}"…"${close!.repeat(32)}`;
  expect(JSON.stringify(root.original.node?.x)).toBe(shown);
  expect(JSON.stringify(keyword.original.keyword?.x)).toBe(shown);
});
