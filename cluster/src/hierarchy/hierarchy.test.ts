import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { edgesIn, graphOf } from '../communities/graph.ts';
import { normalised, packed, type Vectors } from '../features/vectors.ts';
import { type Neighbours, similarEdges, similarityGraph } from '../neighbours/neighbours.ts';
import { centresOf, wardLinkage } from './linkage.ts';
import { confidenceOf, dissolveSmall, divideLarge, joinStrays, numberedPages, pagesOf, stray } from './pages.ts';
import { settingsOf } from './settings.ts';
import { levelsOf } from './topics.ts';

type Link = readonly [to: number, similarity: number];

/** Neighbours from lists of links, nearest first. */
function neighboursOf(lists: readonly (readonly Link[])[]): Neighbours {
  const count = Math.max(1, ...lists.map(({ length }) => length));
  const at = (row: number, rank: number): Link => lists[row]![rank] ?? [-1, 0];
  const cells = lists.flatMap((_, row) => Array.from({ length: count }, (__, rank) => at(row, rank)));
  return {
    count,
    to: Int32Array.from(cells, ([to]) => to),
    similarity: Float32Array.from(cells, ([, value]) => value),
  };
}

/** Groups of `size` rows that are all similar to each other, and a little to the first of the next group. */
const cliques = (groups: number, size: number, inside = 0.9, between = 0.25): Neighbours =>
  neighboursOf(
    Array.from({ length: groups * size }, (_, row) => {
      const first = row - (row % size);
      const others = Array.from({ length: size }, (__, place) => first + place).filter((other) => other !== row);
      const links = others.map((other): Link => [other, inside]);
      return row === first ? [...links, [(row + size) % (groups * size), between] as const] : links;
    }),
  );

const ones = (rows: number) => new Float64Array(rows).fill(1);

describe('Ward linkage', () => {
  /** Squared distances from the mean. */
  function spread(rows: readonly (readonly number[])[]): number {
    const mean = rows[0]!.map((_, at) => rows.reduce((sum, row) => sum + row[at]!, 0) / rows.length);
    return rows.reduce((sum, row) => sum + row.reduce((all, value, at) => all + (value - mean[at]!) ** 2, 0), 0);
  }

  /** Joins by recomputing every spread from the start; undefined if two pairs are about as good. */
  function naive(rows: readonly (readonly number[])[], most: number): number[] | undefined {
    let groups = rows.map((_, row) => [row]);
    const spreadOf = (members: readonly number[]) => spread(members.map((row) => rows[row]!));
    while (groups.length > most) {
      const pairs = groups.flatMap((one, a) =>
        groups.slice(a + 1).map((other, b) => ({
          pair: [a, a + 1 + b] as const,
          added: spreadOf([...one, ...other]) - spreadOf(one) - spreadOf(other),
        })),
      );
      const [best, next] = pairs.sort((a, b) => a.added - b.added);
      if (next && next.added - best!.added < 1e-4) return undefined;
      const [keep, gone] = best!.pair;
      groups[keep] = [...groups[keep]!, ...groups[gone]!];
      groups = groups.filter((_, index) => index !== gone);
    }
    const of = rows.map((_, row) => groups.findIndex((members) => members.includes(row)));
    const numbers = [...new Set(of)];
    return of.map((group) => numbers.indexOf(group));
  }

  test('joins what recomputing all spreads would join', () => {
    const input = fc.integer({ min: 2, max: 8 }).chain((count) =>
      fc.record({
        values: fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 4 * count, maxLength: 4 * count }),
        most: fc.integer({ min: 1, max: count }),
      }),
    );
    fc.assert(
      fc.property(input, ({ values, most }) => {
        const vectors: Vectors = normalised({ values: Float32Array.from(values), dimensions: 4 });
        const rows = Array.from({ length: values.length / 4 }, (_, row) => [
          ...vectors.values.subarray(4 * row, 4 * row + 4),
        ]);
        const expected = naive(rows, most);
        fc.pre(expected !== undefined);
        expect([...wardLinkage(vectors, most)]).toEqual(expected);
      }),
    );
  });

  test('a large group does not attract the others', () => {
    // Three directions near the first axis and two pairs elsewhere.
    const values = [1, 0, 0, 0.9, 0.1, 0, 0.9, 0, 0.1, 0, 1, 0, 0.3, 1, 0, 0, 0, 1, 0.3, 0, 1];
    const vectors = normalised({ values: Float32Array.from(values), dimensions: 3 });
    expect([...wardLinkage(vectors, 3)]).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });
});

test('a centre is the mean direction, however long the rows are', () => {
  const vectors: Vectors = { values: Float32Array.of(2, 0, 0, 5, 7, 0), dimensions: 2 };
  const centres = (some: Vectors<Float32Array | Int8Array>) =>
    [...centresOf(some, Int32Array.of(0, 0, -1), 1).values].map((value) => Math.round(1000 * value));
  expect(centres(vectors)).toEqual([707, 707]);
  expect(centres(packed(vectors))).toEqual([707, 707]);
});

describe('pages', () => {
  test('are the groups of similar rows', () => {
    const { of, count } = pagesOf(cliques(5, 4), ones(20), settingsOf('balanced'));
    expect(count).toBe(5);
    expect([...of]).toEqual(Array.from({ length: 20 }, (_, row) => Math.floor(row / 4)));
  });

  test('a page with more than a share of the list is divided, but never a short one', () => {
    const settings = settingsOf('broad', { smallestCluster: 1 });
    const large = cliques(12, 10, 0.9, 0.89);
    const sizes = (weight: number) => {
      const { of, count } = pagesOf(large, new Float64Array(120).fill(weight), settings);
      const found = new Float64Array(count);
      for (const page of of) found[page]! += weight;
      return Math.max(...found);
    };
    expect(sizes(0.1)).toBeLessThanOrEqual(50);
    expect(sizes(10)).toBeLessThanOrEqual(120);
  });

  test('groups with too many keywords are divided where they hang together least', () => {
    const graph = similarityGraph(cliques(6, 4));
    const all = { of: new Int32Array(24), count: 1 };
    const options = { objective: 'modularity', resolution: 0.4, seed: 1, growth: 1 } as const;
    const { of, count } = divideLarge(graph, all, ones(24), 10, options);
    const sizes = new Float64Array(count);
    of.forEach((group, row) => {
      sizes[group]!++;
      expect(group).toBe(of[row - (row % 4)]);
    });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(10);
    expect(divideLarge(graph, all, ones(24), 24, options).count).toBe(1);
  });

  test('of too few keywords are dissolved, counting what each row stands for', () => {
    const pages = { of: Int32Array.of(0, 0, 1, 2), count: 3 };
    expect([...dissolveSmall(pages, Float64Array.of(1, 1, 5, 1), 2)]).toEqual([0, 0, 1, stray]);
  });

  test('a stray joins the page whose nearest three members are similar enough on average', () => {
    const join = (least: number, ...similarities: number[]) => {
      const links = similarities.map((value, at): Link => [at, value]);
      return joinStrays(neighboursOf([[], [], [], [], links]), Int32Array.of(0, 0, 0, 0, stray), least).of.at(-1);
    };
    expect(join(0.5, 0.6, 0.5, 0.4)).toBe(0);
    expect(join(0.51, 0.6, 0.5, 0.4)).toBe(stray);
    expect(join(0.5, 0.9, 0.5)).toBe(stray);
    expect(join(0.5, 0.5, 0.5, 0.5, 0.1)).toBe(0);
  });

  test('a stray may join a page of two by both of them, and only where it is allowed', () => {
    const neighbours = neighboursOf([
      [],
      [],
      [
        [0, 0.6],
        [1, 0.5],
      ],
    ]);
    const of = Int32Array.of(0, 0, stray);
    expect(joinStrays(neighbours, of, 0.5).of.at(-1)).toBe(0);
    expect(joinStrays(neighbours, of, 0.5, (_, other) => other !== 1).of.at(-1)).toBe(stray);
  });

  test('are numbered in the order of their first rows, without gaps', () => {
    const partition = fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 20 });
    fc.assert(
      fc.property(partition, (of) => {
        const pages = numberedPages(Int32Array.from(of));
        const firsts = [...new Set(pages.of)].filter((page) => page !== stray);
        expect(firsts).toEqual(Array.from({ length: pages.count }, (_, page) => page));
        of.forEach((page, a) => {
          for (const [b, other] of of.entries()) expect(pages.of[a] === pages.of[b]).toBe(page === other);
        });
      }),
    );
  });
});

test('confidence is the share of the weight of a group that stays inside', () => {
  const graph = graphOf(4, {
    from: Uint32Array.of(0, 0, 2),
    to: Uint32Array.of(1, 2, 3),
    weight: Float32Array.of(3, 1, 2),
  });
  const divisions = [
    { of: Int32Array.of(0, 0, 1, stray), count: 3 },
    { of: Int32Array.of(0, 0, 0, 0), count: 1 },
  ];
  const found = confidenceOf(edgesIn(graph), divisions);
  expect(found.map((shares) => [...shares])).toEqual([[6 / 7, 0, Number.NaN], [1]]);
});

test('the edges of similar rows are those of their graph', () => {
  const row = fc.array(fc.tuple(fc.nat(11), fc.double({ min: 0, max: 1, noNaN: true })), { maxLength: 6 });
  fc.assert(
    fc.property(fc.array(row, { minLength: 12, maxLength: 12 }), (lists) => {
      const links = lists.map((list, own) =>
        [...new Map(list)].filter(([to]) => to !== own).toSorted((a, b) => b[1] - a[1]),
      );
      const neighbours = neighboursOf(links);
      const found = [edgesIn(similarityGraph(neighbours)), similarEdges(neighbours)].map((eachEdge) => {
        const edges: string[] = [];
        eachEdge((one, other, weight) =>
          edges.push(`${Math.min(one, other)} ${Math.max(one, other)} ${Math.fround(weight)}`),
        );
        return edges.toSorted();
      });
      expect(found[1]).toEqual(found[0]);
    }),
  );
});

describe('levels', () => {
  const rows = 40;
  const neighbours = cliques(10, 4);
  const vectors = packed(
    normalised({
      values: Float32Array.from({ length: rows * 12 }, (_, at) => {
        const [row, place] = [Math.floor(at / 12), at % 12];
        return place === Math.floor(row / 4) || place === 10 + (row < 20 ? 0 : 1) ? 1 : 0;
      }),
      dimensions: 12,
    }),
  );
  const levels = (choices: Parameters<typeof settingsOf>[1]) => {
    const settings = settingsOf('balanced', choices);
    const pages = pagesOf(neighbours, ones(rows), settings);
    return levelsOf({ vectors, neighbours }, neighbours, pages, ones(rows), settings);
  };

  test('have pillar topics from eight clusters on, at least five by default', () => {
    expect(levels({}).clusters.count).toBe(10);
    expect(levels({}).pillars).toBe(5);
    const few = settingsOf('balanced');
    const pages = { of: Int32Array.from({ length: rows }, (_, row) => Math.floor(row / 8)), count: 5 };
    expect(levelsOf({ vectors, neighbours }, neighbours, pages, ones(rows), few).pillarOf).toBeUndefined();
  });

  test('have as many pillar topics as somebody asks for', () => {
    for (let pillars = 1; pillars <= 10; pillars++) expect(levels({ pillars }).pillars).toBe(pillars);
    expect(levels({ pillars: 11 }).pillars).toBe(10);
  });

  test('have more pillar topics where one has more than a third of the keywords', () => {
    const clusters = 60;
    const ring = cliques(clusters, 4, 0.9, 0.9);
    const pages = { of: Int32Array.from({ length: 4 * clusters }, (_, row) => Math.floor(row / 4)), count: clusters };
    const values = Float32Array.from({ length: 8 * clusters }, (_, at) => (at % 2 === 0 ? 1 : Math.floor(at / 8) / 4));
    const features = { vectors: packed(normalised({ values, dimensions: 2 })), neighbours: ring };
    const sizes = (weight: Float64Array) => {
      const { pillarOf, pillars } = levelsOf(features, ring, pages, weight, settingsOf('balanced'));
      const found = new Float64Array(pillars);
      pages.of.forEach((page, row) => {
        found[pillarOf![page]!]! += weight[row]!;
      });
      return found;
    };
    const even = sizes(ones(4 * clusters));
    // The first two clusters have 22 % of the keywords each.
    const heavy = sizes(Float64Array.from({ length: 4 * clusters }, (_, row) => (row < 8 ? 23 : 1)));
    expect(heavy.length).toBe(even.length + 1);
    expect(Math.max(...heavy)).toBeLessThan(heavy.reduce((sum, one) => sum + one, 0) / 3);
  });

  test('pillar topics join what is alike', () => {
    expect([...levels({ pillars: 2 }).pillarOf!]).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
  });

  test('a subtopic lies within one cluster', () => {
    const { clusters, subtopics } = levels({ shape: 'nested' });
    const clusterOf = new Map<number, number>();
    subtopics!.of.forEach((subtopic, row) => {
      if (subtopic === stray) return;
      expect(clusters.of[row]).toBe(clusterOf.get(subtopic) ?? clusters.of[row]);
      clusterOf.set(subtopic, clusters.of[row]!);
    });
    expect(clusterOf.size).toBe(subtopics!.count);
  });

  test('what no page wants is in no topic either, and a row joins no page of another topic', () => {
    const lists = Array.from({ length: rows }, (_, row): readonly Link[] =>
      row === 3 ? [4, 5, 6].map((other) => [other, 0.9] as const) : [],
    );
    const pages = numberedPages(
      Int32Array.from({ length: rows }, (_, row) => (row === 3 ? stray : Math.floor(row / 4))),
    );
    const settings = settingsOf('balanced', { shape: 'nested', smallestCluster: 1 });
    const { clusters, subtopics } = levelsOf({ vectors, neighbours }, neighboursOf(lists), pages, ones(rows), settings);
    expect([clusters.of[3], subtopics!.of[3]]).toEqual([stray, stray]);
    expect(new Set(clusters.of).size).toBe(clusters.count + 1);
  });
});
