import { readFileSync } from 'node:fs';
import { createIngest } from '@kc/pack/ingest';
import { beforeAll, expect, test } from 'vitest';
import { type MadeDraft, madeDraft } from '../../test/support/made-draft.ts';
import { simdRoom } from '../features/row-products.ts';
import { lengthOf, type Vectors } from '../features/vectors.ts';
import { draftJson } from './draft-json.ts';
import type { DraftState } from './draft-state.ts';
import { similarNodes } from './similar-nodes.ts';

let pages: MadeDraft;
let nested: MadeDraft;

beforeAll(async () => {
  pages = await madeDraft('pages');
  nested = await madeDraft('nested');
});

/** A unit vector of a row. */
function unit({ values, dimensions }: Vectors<Int8Array>, row: number): number[] {
  const length = lengthOf({ values, dimensions }, row) || 1;
  return Array.from({ length: dimensions }, (_, at) => values[row * dimensions + at]! / length);
}

const cosine = (one: readonly number[], other: readonly number[]): number => {
  const [a, b] = [Math.hypot(...one), Math.hypot(...other)];
  return a && b ? one.reduce((sum, value, at) => sum + value * other[at]!, 0) / (a * b) : 0;
};

/** By the glossary: the nearest cluster around a topic, otherwise itself. */
function clusterOf({ topics }: DraftState, topic: number): number {
  for (let at = topic; at >= 0; at = topics[at]!.parent) if (topics[at]!.kind === 'cluster') return at;
  return topic < 0 || topics[topic]!.kind === 'stray' ? -1 : topic;
}

/** Compares everything with everything: the cosines of the most similar clusters and keywords, falling. */
function bruteForce({ context }: MadeDraft, state: DraftState) {
  const { groups, neighbours } = context.prepared!;
  const at = Array.from(state.topicOf, (topic) => clusterOf(state, topic));
  const clusters = [...new Set(at)].filter((cluster) => cluster >= 0);
  const centre = new Map(
    clusters.map((cluster) => {
      const rows = new Set([...groups.of].filter((_, keyword) => at[keyword] === cluster));
      const all = [...rows].map((row) => unit(neighbours.topicVectors, row));
      return [cluster, all.reduce((sum, one) => sum.map((value, place) => value + one[place]!))];
    }),
  );
  const best = (count: number, values: number[]) =>
    values
      .filter((value) => value >= 0.2)
      .sort((one, other) => other - one)
      .slice(0, count);
  const page = groups.texts.map((_, row) => unit(neighbours.pageVectors, row));
  return {
    topic: (cluster: number) =>
      best(
        5,
        clusters.filter((one) => one !== cluster).map((one) => cosine(centre.get(cluster)!, centre.get(one)!)),
      ),
    likeness: (one: number, other: number) => cosine(centre.get(one)!, centre.get(other)!),
    keyword: (keyword: number) =>
      best(
        3,
        Array.from(groups.of.keys())
          .filter((one) => at[one]! >= 0 && at[one] !== at[keyword])
          .map((one) => cosine(page[groups.of[one]!]!, page[groups.of[keyword]!]!)),
      ),
    ofKeywords: (one: number, other: number) => cosine(page[groups.of[one]!]!, page[groups.of[other]!]!),
    clusters,
    at,
  };
}

/** Finds the same in less time. */
const fasterRoom = simdRoom(Uint8Array.from(readFileSync(new URL('../../dist/row-products.wasm', import.meta.url))))!;

/** Vectors are stored in steps of 1/127 of their largest coordinate. */
const step = 0.02;

function expectNearest(draft: MadeDraft, state: DraftState) {
  const { topics, keywords } = similarNodes(draft.context.prepared!, state);
  expect(similarNodes(draft.context.prepared!, state, fasterRoom)).toEqual({ topics, keywords });
  const exact = bruteForce(draft, state);
  let missed = 0;
  for (const cluster of exact.clusters) {
    const found = [...topics.to.subarray(5 * cluster, 5 * cluster + 5)].filter((one) => one >= 0);
    const wanted = exact.topic(cluster);
    expect(new Set(found).size).toBe(found.length);
    expect(found.every((one) => exact.clusters.includes(one) && one !== cluster)).toBe(true);
    expect(found.length).toBeGreaterThanOrEqual(wanted.filter((value) => value > 0.2 + step).length);
    for (const [nth, one] of found.entries())
      expect(exact.likeness(cluster, one)).toBeGreaterThan((wanted[nth] ?? 0.2) - step);
  }
  for (const [keyword, own] of exact.at.entries()) {
    if (state.topicOf[keyword]! < 0) continue;
    const found = [...keywords.to.subarray(3 * keyword, 3 * keyword + 3)].filter((one) => one >= 0);
    expect(found.every((one) => exact.at[one]! >= 0 && exact.at[one] !== own)).toBe(true);
    const wanted = exact.keyword(keyword);
    for (const [nth, value] of wanted.entries()) {
      const one = found[nth];
      if (one === undefined || exact.ofKeywords(keyword, one) < value - step) missed++;
    }
  }
  // Keywords whose neighbours are all in their own cluster are only compared with a few others.
  expect(missed / (3 * exact.at.length)).toBeLessThan(0.02);
}

// Shows P15.33.
test('each cluster has the five nearest clusters, and each keyword the three nearest keywords elsewhere', () => {
  expectNearest(pages, pages.first);
  expectNearest(nested, nested.first);
});

// Shows P15.33.
test('what is similar follows moves, merges, splits, renames and strays', () => {
  const draft = pages;
  const [shoe, boot, lamp] = ['red shoe', 'red boot', 'red lamp'];
  const topic = (text: string) => (state: DraftState) => draft.topic(state, text);
  const after = draft.after(
    draft.first,
    (state) => ({ kind: 'move', nodes: [draft.keyword(state, shoe)], to: topic(lamp)(state) }),
    (state) => ({ kind: 'merge', nodes: [topic(boot)(state), topic('red guitar')(state)] }),
    (state) => ({ kind: 'split', node: topic('red boot')(state) }),
    (state) => ({ kind: 'rename', node: topic('red violin')(state), name: 'Fiddles' }),
    (state) => ({ kind: 'strays', nodes: [topic('red onion')(state)] }),
  );
  expectNearest(draft, after);
  const { keywords } = similarNodes(draft.context.prepared!, after);
  const row = draft.texts.indexOf('red onion');
  // A stray keyword is similar to others, but nothing is similar to it.
  expect(keywords.to[3 * row]).toBeGreaterThanOrEqual(0);
  expect(keywords.to.includes(row)).toBe(false);
});

/** The names that the file of a draft says are similar, by name. */
function similarNames(draft: MadeDraft, state: DraftState): Map<string, string[]> {
  const { list, prepared } = draft.context;
  const map = { name: 'made', texts: list.texts, volume: list.volume, fields: [], clustering: {} };
  const bytes = Buffer.concat([...draftJson({ ...map, state, prepared })]);
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(bytes);
  const result = ingest.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const { similar, nodes } = result.tree.tables;
  const { names, nameStart, nameLength, parent } = nodes;
  const name = (node: number): string =>
    Buffer.from(names.subarray(nameStart[node], nameStart[node]! + nameLength[node]!)).toString();
  const path = (node: number): string => (node === 0 ? '' : `${path(parent[node]!)}/${name(node)}`);
  return new Map(
    Array.from({ length: similar ? nodes.rows : 0 }, (_, node) => [
      path(node),
      [...similar!.to.subarray(similar!.start[node], similar!.start[node + 1])].map(path),
    ]),
  );
}

test('the file of a draft names what is similar in its own order', () => {
  const { first, context } = pages;
  const named = similarNames(pages, first);
  const { topics } = similarNodes(context.prepared!, first);
  const path = (topic: number): string =>
    topic < 0 ? '' : `${path(first.topics[topic]!.parent)}/${first.topics[topic]!.name}`;
  const wanted = first.topics.map((_, topic) => [
    path(topic),
    [...topics.to.subarray(5 * topic, 5 * topic + 5)].filter((one) => one >= 0).map(path),
  ]);
  expect(first.topics.map((_, topic) => [path(topic), named.get(path(topic))])).toEqual(wanted);
  expect(named.get('')).toEqual([]);
  expect(named.size).toBe(1 + first.topics.length + pages.texts.length);
});

test('equal drafts give equal bytes, and a list with groups of its own says nothing about similar nodes', async () => {
  const again = await madeDraft('pages');
  expect(similarNames(again, again.first)).toEqual(similarNames(pages, pages.first));
  const columns = await madeDraft('columns');
  expect(similarNames(columns, columns.first).size).toBe(0);
});

test('after an update, what is new is similar as well', async () => {
  const update = await madeDraft('update');
  expectNearest(update, update.first);
  // Its kinds have nothing in common, so nothing is similar until a keyword is away from its kind.
  expect(similarNames(update, update.first).size).toBe(0);
  const textIn = (word: string) =>
    update.texts.find((text, row) => text.includes(word) && update.first.topicOf[row]! >= 0)!;
  const after = update.after(update.first, (state) => ({
    kind: 'move',
    nodes: [update.keyword(state, textIn('tablet'))],
    to: update.topic(state, textIn('boot')),
  }));
  expectNearest(update, after);
  expect(similarNames(update, after).size).toBeGreaterThan(0);
});
