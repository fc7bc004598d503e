import { beforeAll, describe, expect, test } from 'vitest';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import { DraftAddresses } from '../draft/addresses.ts';
import { keywordsOf } from '../draft/context.ts';
import { draftJson } from '../draft/draft-json.ts';
import { beginDraft, type DraftState } from '../draft/draft-state.ts';
import { applyOperation } from '../draft/operations.ts';
import { MapError } from '../map/map-error.ts';
import { type KeywordMapFile, readMap } from '../map/read-map.ts';
import { exactNeighbours } from '../neighbours/exact.ts';
import { divide, listSettingsOf, prepareList } from '../pipeline/cluster.ts';
import type { KeywordList } from '../pipeline/keyword-list.ts';
import { branchList, splitBranch } from './split-branch.ts';
import { updateMap } from './update-map.ts';

const tools = { encoder: madeEncoder, neighbours: exactNeighbours };
const settings = listSettingsOf({ shape: 'pages', smallestCluster: 2 });
const made = madeKeywords();
const some = (isKept: (row: number) => boolean): KeywordList => {
  const rows = [...made.texts.keys()].filter(isKept);
  return {
    texts: rows.map((row) => made.texts[row]!),
    volume: Float64Array.from(rows, (row) => made.volume[row]!),
  };
};
const fieldsOf = ({ volume }: KeywordList) => [{ name: 'search_volume', values: volume }];
const textOf = (list: KeywordList, state: DraftState) => {
  const map = { name: 'made', texts: list.texts, fields: fieldsOf(list), volume: list.volume, state, clustering: {} };
  return Buffer.concat([...draftJson(map)]).toString();
};
const topicOf = (map: { texts: readonly string[]; state: DraftState }, text: string) =>
  map.state.topics[map.state.topicOf[map.texts.indexOf(text)]!]!;

/** April has two thirds of the keywords. */
const april = some((row) => row % 3 !== 0);
const example = april.texts[0]!;
let map: KeywordMapFile;

beforeAll(async () => {
  const prepared = await prepareList(april, settings, tools);
  const first = beginDraft(divide(april, prepared, settings), settings.stop);
  const addresses = new DraftAddresses(first, april.texts, 'made');
  const node = addresses.ofTopic(first.topicOf[april.texts.indexOf(example)]!);
  const renamed = applyOperation(
    { list: april, settings, prepared },
    first,
    { kind: 'rename', node, name: 'Shoes' },
    'made',
  );
  if ('refusal' in renamed) throw new Error(renamed.refusal);
  map = readMap(textOf(april, renamed.state));
});

describe('a map that is read', () => {
  test('is written as it was, with what a person decided', () => {
    const list = { texts: map.texts, volume: map.volume };
    const again = readMap(textOf(list, map.state));
    expect(again.state).toEqual(map.state);
    expect(topicOf(map, example)).toMatchObject({ name: 'Shoes', isLocked: true, isRenamed: true });
    expect(map.fields.map(({ name }) => name)).toEqual(['search_volume']);
    expect([...map.volume].sort()).toEqual([...april.volume].sort());
  });

  test.each([
    ['not-json', '{"keywords":'],
    ['no-keywords', '{"keywords":[]}'],
    ['no-keywords', '{"hierarchy":{"name":"x","children":[]}}'],
    [
      'keyword-twice',
      '{"hierarchy":{"name":"x","children":[{"name":"a","children":["k"]},{"name":"b","children":["k"]}]}}',
    ],
  ])('is refused as %s', (what, text) => {
    expect(() => readMap(text)).toThrow(MapError);
    expect(() => readMap(text)).toThrow(what);
  });
});

describe("next month's list", () => {
  test('leaves every known keyword where it is, with locks and names', async () => {
    const prepared = await prepareList(made, settings, tools);
    const { state, review } = updateMap(map, made, prepared, settings);
    const updated = { texts: made.texts, state };
    for (const text of map.texts) {
      const before = topicOf(map, text);
      if (before.kind !== 'stray') expect(topicOf(updated, text)).toMatchObject({ id: before.id, name: before.name });
    }
    expect(topicOf(updated, example).isLocked).toBe(true);
    expect(review.added.map((row) => made.texts[row])).toEqual(made.texts.filter((text) => !map.texts.includes(text)));
    expect(review.gone).toEqual([]);
    expect(review.newClusters).toEqual([]);
    // The new ones are where their kind is.
    for (const row of review.added) {
      const others = keywordsOf(state, state.topicOf[row]!).filter((other) => made.kind[other] === made.kind[row]);
      expect(others.length).toBeGreaterThan(1);
    }
  });

  test('leaves out what was left out, and is written with it', async () => {
    const out = made.texts[0]!;
    const clustering = { ...map.clustering, excluded: [{ keyword: out.toUpperCase(), from: 'k0001' }] };
    const prepared = await prepareList(made, settings, tools);
    const { state, review } = updateMap({ ...map, clustering }, made, prepared, settings);
    expect(state.topicOf[0]).toBe(-1);
    expect(state.excludedFrom).toEqual(new Map([[0, 'k0001']]));
    expect(review.added).not.toContain(0);
    expect(textOf(made, state)).toContain(`"excluded":[{"keyword":"${out}","from":"k0001"}]`);
  });

  test('names what is gone, and drops clusters without a keyword', async () => {
    const kept = some((row) => made.kind[row]! > 0);
    const prepared = await prepareList(kept, settings, tools);
    const { state, review } = updateMap(map, kept, prepared, settings);
    expect(review.gone.toSorted()).toEqual(map.texts.filter((text) => !kept.texts.includes(text)).toSorted());
    expect(state.topics.some(({ name }) => name === 'Shoes')).toBe(false);
  });

  test('clusters alone what fits nowhere, below the pillar topic that resembles it', async () => {
    const strange = Array.from({ length: 12 }, (_, number) => `submarine periscope ${'abcdef'[number % 6]}${number}`);
    const texts = [...april.texts, ...strange];
    const list = { texts, volume: Float64Array.from(texts, () => 1) };
    const prepared = await prepareList(list, settings, tools);
    const { state, review } = updateMap(map, list, prepared, settings);
    const topics = new Set(strange.map((text) => topicOf({ texts, state }, text)));
    for (const topic of topics) {
      expect(topic.isNew).toBe(true);
      expect(review.newClusters).toContain(topic.id);
    }
    expect(review.added).toHaveLength(12);
  });
});

test('a branch that is divided keeps its keywords, and everything else is as it was', async () => {
  const branch = map.state.topics.findIndex(({ kind }) => kind !== 'stray');
  const list = branchList(map, branch);
  const fine = listSettingsOf({ preset: 'page', smallestCluster: 2 });
  const prepared = await prepareList(list, fine, tools);
  const state = splitBranch(map, branch, divide(list, prepared, fine));
  const inside = new Set(list.texts);
  map.texts.forEach((text) => {
    const [before, after] = [topicOf(map, text), topicOf({ texts: map.texts, state }, text)];
    if (!inside.has(text))
      expect(after).toMatchObject({ id: before.id, name: before.name, isLocked: before.kind !== 'stray' });
  });
  const { id } = map.state.topics[branch]!;
  const now = state.topics.findIndex((topic) => topic.id === id);
  expect([...keywordsOf(state, now)].map((keyword) => map.texts[keyword]).toSorted()).toEqual(list.texts.toSorted());
});
