import { beforeAll, describe, expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import { DraftAddresses } from '../draft/addresses.ts';
import { keywordsOf } from '../draft/context.ts';
import { draftJson } from '../draft/draft-json.ts';
import { beginDraft, type DraftState } from '../draft/draft-state.ts';
import { applyOperation, type Operated } from '../draft/operations.ts';
import { branchList, splitBranch } from '../draft/split.ts';
import { MapError } from '../map/map-entries.ts';
import { type KeywordMapFile, readMap } from '../map/read-map.ts';
import { divide, listSettingsOf, prepareList } from '../pipeline/cluster.ts';
import type { KeywordList } from '../pipeline/keyword-list.ts';
import { joinedList, updateMap } from './update-map.ts';

const tools = { encoder: madeEncoder, neighbours: exactNeighbours };
const settings = listSettingsOf({ shape: 'pages', smallestCluster: 2 });
const all = madeKeywords();
const some = (isKept: (row: number) => boolean): KeywordList => {
  const rows = [...all.texts.keys()].filter(isKept);
  return {
    texts: rows.map((row) => all.texts[row]!),
    volume: Float64Array.from(rows, (row) => all.volume[row]!),
  };
};
const fieldsOf = ({ volume }: KeywordList) => [{ name: 'search_volume', values: volume }];
const textOf = (list: KeywordList, state: DraftState) => {
  const map = { name: 'made', texts: list.texts, fields: fieldsOf(list), volume: list.volume, state, clustering: {} };
  return Buffer.concat([...draftJson(map)]).toString();
};
const topicOf = (map: { texts: readonly string[]; state: DraftState }, text: string) =>
  map.state.topics[map.state.topicOf[map.texts.indexOf(text)]!]!;

function must(result: Operated) {
  if ('refusal' in result) throw new Error(result.refusal);
  return result;
}

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

/** What becomes of the map with a list. */
async function updated(next: KeywordList, from = map) {
  const { list, fields, here } = joinedList(from, next, fieldsOf(next));
  const prepared = await prepareList(list, settings, tools);
  const { state, update } = updateMap(from, list, here, prepared, settings);
  return { list, fields, state, update, context: { list, settings, prepared, update } };
}
type Updated = Awaited<ReturnType<typeof updated>>;

const goneOf = ({ state, list }: Updated) => [...state.goneFrom.keys()].map((row) => list.texts[row]!);
const jsonOf = ({ list, fields }: Updated, state: DraftState, clustering = {}) =>
  Buffer.concat([
    ...draftJson({ name: 'made', texts: list.texts, volume: list.volume, fields, state, clustering }),
  ]).toString();

describe("next month's list", () => {
  test('has rates as shares, and those of keywords that are gone become shares, too', () => {
    const list = { texts: ['new desk'], volume: Float64Array.of(1) };
    const texts = ['oak desk', 'ash desk', 'elm desk', 'fir desk'];
    const fields = [
      { name: 'competition', values: [1, 45, '30%', 'LOW'] },
      { name: 'CTR', values: [0.5, '0.2', undefined, 101] },
      { name: 'Clicks', values: [5, 1, 1, 1] },
      { name: 'Impressions', values: [1000, 500, 1, 1] },
    ];
    const from = { ...map, texts, volume: new Float64Array(4), fields };
    const joined = joinedList(from, list, [{ name: 'competition', values: [0.45] }]);
    const valuesOf = (name: string) => [...(joined.fields.find((field) => field.name === name)!.values as unknown[])];
    expect(valuesOf('competition')).toEqual([0.45, 0.01, 0.45, 0.3, 'LOW']);
    expect(valuesOf('CTR')).toEqual([undefined, 0.005, 0.002, undefined, Number.NaN]);
  });

  test('has the keywords of the map in other cases, as the pack sees them', () => {
    const from = {
      ...map,
      texts: ['große lampe', 'ΛΟΓΟΣ', 'cafe\u0301'],
      volume: Float64Array.of(1, 2, 3),
      fields: [],
    };
    const texts = ['GROSSE LAMPE', 'λογος', 'CAFÉ'];
    const { list, here } = joinedList(from, { texts, volume: new Float64Array(3) }, []);
    expect(here).toBe(3);
    expect(list.texts).toEqual(texts);
  });

  test('says how many keywords have lost their volume', () => {
    const from = {
      ...map,
      texts: ['oak', 'ash', 'elm', 'fir'],
      volume: Float64Array.of(5, 0, Number.NaN, 7),
      fields: [],
    };
    const list = {
      texts: ['fir', 'new', 'ash', 'oak', 'elm'],
      volume: Float64Array.of(3, 1, ...new Array(3).fill(Number.NaN)),
    };
    expect(joinedList(from, list, []).lostVolumes).toBe(2);
  });

  test('leaves every known keyword where it is, with locks and names', async () => {
    const made = await updated(all);
    const { state, update } = made;
    const now = { texts: all.texts, state };
    for (const text of map.texts) {
      const before = topicOf(map, text);
      if (before.kind !== 'stray') expect(topicOf(now, text)).toMatchObject({ id: before.id, name: before.name });
    }
    expect(topicOf(now, example).isLocked).toBe(true);
    expect([...update.added].map((row) => all.texts[row])).toEqual(
      all.texts.filter((text) => !map.texts.includes(text)),
    );
    expect(goneOf(made)).toEqual([]);
    expect(state.topics.some(({ isNew }) => isNew)).toBe(false);
    // The new ones are where their kind is.
    for (const row of update.added) {
      const others = keywordsOf(state, state.topicOf[row]!).filter((other) => all.kind[other] === all.kind[row]);
      expect(others.length).toBeGreaterThan(1);
    }
  });

  test('leaves out what was left out, and is written with it', async () => {
    const out = all.texts[0]!;
    const clustering = {
      ...map.clustering,
      excluded: [
        { keyword: out.toUpperCase(), from: 'k0001' },
        { keyword: 'not in the list', from: 'k0002' },
      ],
    };
    const made = await updated(all, { ...map, clustering });
    expect(made.state.topicOf[0]).toBe(-1);
    expect(made.state.excludedFrom).toEqual(new Map([[0, 'k0001']]));
    expect(made.update.added).not.toContain(0);
    expect(jsonOf(made, made.state, clustering)).toContain(
      `"excluded":[{"keyword":"not in the list","from":"k0002"},{"keyword":"${out}","from":"k0001"}]`,
    );
  });

  test('names what is gone, and drops clusters without a keyword', async () => {
    const kept = some((row) => all.kind[row]! > 0);
    const made = await updated(kept);
    expect(goneOf(made).toSorted()).toEqual(map.texts.filter((text) => !kept.texts.includes(text)).toSorted());
    expect(made.state.topics.some(({ name }) => name === 'Shoes')).toBe(false);
    const written = JSON.parse(jsonOf(made, made.state)) as { keywords: { keyword: string }[] };
    expect(written.keywords.map(({ keyword }) => keyword)).toEqual(kept.texts);
  });

  // Shows P22.9.
  test('brings gone keywords back to where they were, with their figures and the topics above them', async () => {
    const kept = some((row) => all.kind[row]! > 0);
    const made = await updated(kept);
    const { state } = must(applyOperation(made.context, made.state, { kind: 'keep', keywords: 'all' }, 'made'));
    expect(state.goneFrom.size).toBe(0);
    const now = { texts: made.list.texts, state };
    const pathIn = (one: { texts: readonly string[]; state: DraftState }, text: string): string[] => {
      const path: string[] = [];
      for (let at = one.state.topicOf[one.texts.indexOf(text)]!; at >= 0; at = one.state.topics[at]!.parent)
        path.push(one.state.topics[at]!.id);
      return path;
    };
    for (const text of goneOf(made)) expect(pathIn(now, text)).toEqual(pathIn(map, text));
    const written = JSON.parse(jsonOf(made, state)) as { keywords: { keyword: string; search_volume?: number }[] };
    const volumeOf = (text: string) => {
      const value = all.volume[all.texts.indexOf(text)]!;
      return Number.isNaN(value) ? undefined : value;
    };
    const volumes = new Map(written.keywords.map(({ keyword, search_volume }) => [keyword, search_volume]));
    expect(volumes).toEqual(new Map([...volumes.keys()].map((text) => [text, volumeOf(text)])));
    expect(volumes.size).toBe(new Set([...kept.texts, ...map.texts]).size);
  });

  test('lets gone keywords come back to the cluster that theirs was merged into', async () => {
    const made = await updated(some((row) => row % 3 === 0 || row % 2 === 0));
    const { state, context, list } = made;
    const addresses = new DraftAddresses(state, list.texts, 'made');
    const numberOf = (id: string) => state.topics.findIndex((topic) => topic.id === id);
    const [keyword, from] = [...state.goneFrom].find(([, id]) => numberOf(id) > 0)!;
    const number = numberOf(from);
    // Siblings are in order of volume: the one before takes the keywords of this one.
    const other = number - 1;
    expect(state.topics[other]!.kind).toBe(state.topics[number]!.kind);
    const nodes = [number, other].map((topic) => addresses.ofTopic(topic));
    const merged = must(applyOperation(context, state, { kind: 'merge', nodes }, 'made')).state;
    const back = must(
      applyOperation(context, merged, { kind: 'keep', keywords: [list.texts[keyword]!] }, 'made'),
    ).state;
    const there = back.topics[back.topicOf[keyword]!]!.id;
    expect(there).toBe(state.topics[other]!.id);
  });

  test('clusters alone what fits nowhere, below the pillar topic that resembles it', async () => {
    const strange = Array.from({ length: 12 }, (_, number) => `submarine periscope ${'abcdef'[number % 6]}${number}`);
    const texts = [...april.texts, ...strange];
    const { state, update } = await updated({ texts, volume: Float64Array.from(texts, () => 1) });
    const topics = new Set(strange.map((text) => topicOf({ texts, state }, text)));
    for (const topic of topics) expect(topic.isNew).toBe(true);
    expect(update.added).toHaveLength(12);
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
