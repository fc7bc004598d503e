import { expect, test } from 'vitest';
import { DraftAddresses } from '../draft/addresses.ts';
import type { DraftContext } from '../draft/context.ts';
import { draftJson } from '../draft/draft-json.ts';
import type { DraftState } from '../draft/draft-state.ts';
import { applyOperation } from '../draft/operations.ts';
import { listSettingsOf } from '../pipeline/cluster.ts';
import { joinedList } from '../update/update-map.ts';
import { resultsIn, withResults } from './map-results.ts';
import { readMap } from './read-map.ts';

const entries = `[ "plain hose", {"keyword":"Red hose", "search_volume": 1.50,"serp_urls":["https://old.test"],"note":"a \\"b\\" }"},
  {"keyword":"blue hose","serp_urls":["https://kept.test"]},{"keyword":"cat food"}]`;
const hierarchy =
  '{"name":"shop","children":[{"name":"Hoses","type":"cluster","children":[{"name":"plain hose"},{"name":"Red hose"},{"name":"blue hose"}]},{"name":"Food","type":"cluster","children":[{"name":"cat food"}]}]}';
const map = `{"version": 7, "keywords": ${entries}, "hierarchy": ${hierarchy}}`;
const found = {
  texts: ['RED  HOSE', 'plain hose', 'chess board', 'cat food'],
  results: [['https://a.test/1', 'https://b.test'], ['https://a.test/1'], ['https://c.test'], []],
};

// Shows P23.14.
test('search results are written into the entries of a map, of which nothing else changes', () => {
  const { text, ...counts } = withResults(map, found);
  // Of the list, chess board is not in the map, and nothing was found for cat food.
  expect(counts).toEqual({ added: 2, without: 1, unmatched: 1 });
  expect(text).toBe(
    map
      .replace('"plain hose"', '{"keyword":"plain hose","serp_urls":["https://a.test/1"]}')
      .replace(
        '{"keyword":"Red hose", "search_volume": 1.50,"serp_urls":["https://old.test"],"note":"a \\"b\\" }"}',
        '{"keyword":"Red hose","search_volume": 1.50,"note":"a \\"b\\" }","serp_urls":["https://a.test/1","https://b.test"]}',
      ),
  );
  expect(resultsIn(readMap(text).fields)).toEqual([
    ['https://a.test/1'],
    ['https://a.test/1', 'https://b.test'],
    ['https://kept.test'],
    [],
  ]);
});

test('a map whose keywords are nodes alone gets an entry for each', () => {
  const { text, added } = withResults(`{"hierarchy":${hierarchy},"keywords":[]}`, found);
  expect(added).toBe(2);
  const { texts, fields } = readMap(text);
  expect(texts).toEqual(['plain hose', 'Red hose', 'blue hose', 'cat food']);
  expect(resultsIn(fields)).toEqual([['https://a.test/1'], ['https://a.test/1', 'https://b.test'], [], []]);
});

test("next month's export without results keeps those that are known", () => {
  const before = readMap(withResults(map, found).text);
  const list = { texts: ['new hose', 'red hose'], volume: Float64Array.of(1, 2) };
  const { list: joined } = joinedList(before, list, [{ name: 'serp_urls', values: [['https://n.test'], undefined] }]);
  expect(joined.texts).toEqual(['new hose', 'red hose', 'plain hose', 'blue hose', 'cat food']);
  expect(joined.urls).toEqual([
    ['https://n.test'],
    ['https://a.test/1', 'https://b.test'],
    ['https://a.test/1'],
    ['https://kept.test'],
    [],
  ]);
});

// Shows P23.15.
test('a cluster is split into the keywords that share result pages, and the others stay with most of them', () => {
  const pages = (text: string) => text.split(' ').map((page) => `https://${page}.test`);
  const texts = ['red hose', 'blue hose', 'hose reel', 'reel for hoses', 'green hose', 'hose', 'cat food'];
  const urls = ['a b c', 'a b c d', 'x y z', 'x y z', 'a b c', '', 'x y z'].map((text) =>
    text === '' ? [] : pages(text),
  );
  const children = (from: number, to: number) => texts.slice(from, to).map((name) => ({ name }));
  const file = readMap(
    JSON.stringify({
      keywords: texts.map((keyword, row) => ({ keyword, serp_urls: urls[row] })),
      hierarchy: {
        name: 'shop',
        children: [
          {
            name: 'Garden',
            type: 'pillar_topic',
            children: [{ name: 'Hoses', type: 'cluster', children: children(0, 6) }],
          },
          {
            name: 'Pets',
            type: 'pillar_topic',
            children: [{ name: 'Food', type: 'cluster', children: children(6, 7) }],
          },
        ],
      },
    }),
  );
  const list = { texts: file.texts, volume: file.volume, urls: resultsIn(file.fields)! };
  const context: DraftContext = { list, settings: listSettingsOf({ language: 'en' }), prepared: undefined };
  const addressOf = (state: DraftState, name: string) =>
    new DraftAddresses(state, texts, 'shop').ofTopic(state.topics.findIndex((topic) => topic.name === name));
  const split = (sharedUrls: number) =>
    applyOperation(context, file.state, { kind: 'split', node: addressOf(file.state, 'Hoses'), sharedUrls }, 'shop');
  const done = split(3);
  if ('refusal' in done) throw new Error(done.refusal);
  const { state, effect } = done;
  expect(effect).toMatchObject({ code: 'draft/split', params: { name: 'Hoses', parts: 2 } });
  const below = (topic: number) => texts.filter((_, row) => state.topicOf[row] === topic).sort();
  const clusters = state.topics.flatMap(({ kind, parent }, topic) =>
    kind === 'cluster' ? [[state.topics[parent]!.name, below(topic)]] : [],
  );
  expect(clusters).toEqual([
    ['Garden', ['blue hose', 'green hose', 'hose', 'red hose']],
    ['Garden', ['hose reel', 'reel for hoses']],
    ['Pets', ['cat food']],
  ]);
  // The map that is published has the results still.
  const json = Buffer.concat([
    ...draftJson({
      name: 'shop',
      texts,
      volume: list.volume,
      fields: file.fields,
      state,
      clustering: {},
      original: file.original,
    }),
  ]).toString();
  expect(resultsIn(readMap(json).fields)).toEqual(urls);
  expect(split(5)).toMatchObject({ effect: { params: { parts: 5 } } });
  const alone = { kind: 'split', node: addressOf(file.state, 'Food'), sharedUrls: 3 } as const;
  expect(applyOperation(context, file.state, alone, 'shop')).toEqual({ refusal: 'draft/not-splittable' });
});
