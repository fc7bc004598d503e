import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createUploadReader } from './upload-reader.ts';

/** The outline of a file that is checked in blocks of `size` bytes. */
function outlineOf(bytes: Uint8Array, size = 65_536) {
  const reader = createUploadReader({ check: true });
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size));
  const result = reader.finish();
  if (!result.ok) throw new Error(result.problem.what);
  return reader.outline();
}

const outlined = (hierarchy: object, keywords: unknown[] = []) =>
  outlineOf(Buffer.from(JSON.stringify({ hierarchy, keywords })));
const leaves = (count: number) => Array.from({ length: count }, (_, at) => `leaf ${at}`);

describe('the outline of a checked file', () => {
  const shop = {
    name: 'Shop',
    type: 'root',
    children: [
      { name: 'Tools', type: 'pillar_topic', children: [{ name: 'Rakes', type: 'cluster', children: leaves(2) }] },
      {
        type: 'pillar_topic',
        children: [
          { name: 'Roses', type: 'cluster', children: leaves(1) },
          {
            name: 'Trees',
            type: 'cluster',
            children: [{ name: 'Fruit', type: 'cluster', children: leaves(3) }, 'oak'],
          },
        ],
        name: 'Plants',
      },
      'Seeds',
    ],
  };

  it('counts pillars, the branches below them, the levels and the types', () => {
    expect(outlined(shop)).toMatchObject({
      rootName: 'Shop',
      pillars: 3,
      clusters: 4,
      depth: 4,
      types: [
        { name: 'cluster', nodes: 4 },
        { name: 'pillar_topic', nodes: 2 },
        { name: 'root', nodes: 1 },
      ],
    });
  });

  it('lists unrecognised members of keywords and of nodes, each once', () => {
    const keywords = [
      {
        keyword: 'a',
        volume: 1,
        'Serch Volume': 5,
        clicks: 3,
        no: 1,
        'End date': '2026-04-17',
        trend: [1],
        'Searches: May 2025': 4,
      },
      { keyword: 'b', serch_volume: 6, Owner: 'x', keyword_info: { cpc: 1, history: 2 } },
    ];
    const hierarchy = {
      name: 'r',
      colour: 'red',
      children: [{ keyword: 'a', msv: 5, keywords: ['b'], Serch_Volume: 1 }],
    };
    expect(outlined(hierarchy, keywords).unrecognised).toEqual(['colour', 'Serch_Volume', 'Owner', 'history']);
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, index]));
    expect(outlined({ name: 'r' }, [many]).unrecognised).toHaveLength(64);
    expect(outlined(shop).unrecognised).toEqual([]);
  });

  it('lists the heaviest pillars first, each with the leaves of its children', () => {
    expect(outlined(shop).top).toEqual([
      { name: 'Plants', leaves: 5, parts: [4, 1] },
      { name: 'Tools', leaves: 2, parts: [2] },
      { name: 'Seeds', leaves: 1, parts: [] },
    ]);
    expect(outlined(shop).restLeaves).toBe(0);
  });

  it('is the same however the bytes are split', () => {
    const bytes = Buffer.from(JSON.stringify({ keywords: [{ keyword: 'a', volume: '1,300' }], hierarchy: shop }));
    for (const size of [1, 2, 7]) expect(outlineOf(bytes, size)).toEqual(outlineOf(bytes));
  });

  it('merges parts too small to distinguish', () => {
    const wide = outlined({ name: 'r', children: leaves(1_500) });
    expect(wide.pillars).toBe(1_500);
    expect(wide.top).toHaveLength(24);
    expect(wide.restLeaves).toBe(1_476);
    const [pillar] = outlined({ name: 'r', children: [{ name: 'p', children: leaves(300) }] }).top;
    expect(pillar).toEqual({ name: 'p', leaves: 300, parts: [...Array<number>(16).fill(1), 284] });
  });

  it('sums the volumes of entries, using the preferred spelling, and counts the entries that have one', () => {
    const keywords = [
      { keyword: 'a', volume: 100 },
      { keyword: 'b', volume: null },
      { keyword: 'c', volume_min: 10, volume_max: 30, search_volume: '1,300' },
      { keyword: 'd', difficulty: 40 },
      'e',
    ];
    expect(outlined({ name: 'r' }, keywords).volume).toEqual({ sum: 1_400, known: 2 });
  });

  it('has no pillars for a hierarchy without children', () => {
    expect(outlined({ name: 'r' })).toMatchObject({ rootName: 'r', pillars: 0, clusters: 0, depth: 0, top: [] });
  });

  it('truncates a long name between characters', () => {
    const [pillar] = outlined({ name: 'r', children: [`a${'ä'.repeat(300)}`] }).top;
    expect(pillar!.name).toBe(`a${'ä'.repeat(99)}…`);
  });
});

const real = new URL('../../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url);
const there = existsSync(real) ? it : it.skip;

there('the outline of real keyword research is what JSON.parse counts', () => {
  const bytes = readFileSync(real);
  type Node = { name: string; children?: Node[] };
  const file = JSON.parse(bytes.toString()) as { keywords: { search_volume: number }[]; hierarchy: Node };
  const count = (node: Node): number => node.children?.reduce((sum, child) => sum + count(child), 0) ?? 1;
  const pillars = file.hierarchy.children!.map((pillar) => [pillar.name, count(pillar)] as const);
  const outline = outlineOf(bytes);
  expect(outline).toMatchObject({ pillars: 17, clusters: 116, depth: 3 });
  expect(outline.volume).toEqual({
    sum: file.keywords.reduce((sum, { search_volume }) => sum + search_volume, 0),
    known: file.keywords.length,
  });
  expect(outline.top.map(({ name, leaves }) => [name, leaves])).toEqual(pillars.toSorted((a, b) => b[1] - a[1]));
});
