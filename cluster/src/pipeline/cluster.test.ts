import { describe, expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import type { Encoder } from '../encoder/encoder.ts';
import { wordsOf } from '../words/words.ts';
import { uploadJson } from '../write/upload-json.ts';
import { type ClusterProgress, type ClusterTools, cluster, listSettingsOf } from './cluster.ts';
import type { KeywordList } from './keyword-list.ts';
import { textFeaturesOf } from './text-features.ts';
import { strayName, type TopicKind, type TopicTree } from './topic-tree.ts';

const tools: ClusterTools = { encoder: madeEncoder, neighbours: exactNeighbours };
const made = madeKeywords();

const kinds = (tree: TopicTree) => new Set(tree.topics.map(({ kind }) => kind));
const count = (tree: TopicTree, kind: TopicKind) => tree.topics.filter((topic) => topic.kind === kind).length;
const topicsAbove = ({ topics }: TopicTree, topic: number): number[] =>
  topic < 0 ? [] : [topic, ...topicsAbove({ topics } as TopicTree, topics[topic]!.parent)];

/** What must hold of every tree. */
function checkTree(tree: TopicTree, list: KeywordList): void {
  expect(tree.topicOf).toHaveLength(list.texts.length);
  const siblings = new Map<number, Set<string>>();
  tree.topics.forEach(({ name, kind, parent, confidence }, topic) => {
    expect(parent).toBeLessThan(topic);
    const names = siblings.get(parent) ?? new Set();
    expect(names.has(name), `${name} twice`).toBe(false);
    siblings.set(parent, names.add(name));
    if (kind === 'stray') return;
    const own = list.texts.filter((_, row) => topicsAbove(tree, tree.topicOf[row]!).includes(topic));
    for (const phrase of name.split(', ')) expect(own.join('\n'), `${phrase} is of its topic`).toContain(phrase);
    if (!Number.isNaN(confidence)) {
      expect(confidence).toBeGreaterThanOrEqual(0);
      expect(confidence).toBeLessThanOrEqual(100);
    }
  });
  const used = new Set([...tree.topicOf].flatMap((topic) => topicsAbove(tree, topic)));
  expect(used.size, 'no topic is empty').toBe(tree.topics.length);
  tree.topicOf.forEach((topic, keyword) => {
    expect(Number.isNaN(tree.similarity[keyword]!)).toBe(tree.topics[topic]!.kind === 'stray');
  });
}

const bytesOf = (tree: TopicTree, list: KeywordList) =>
  Buffer.concat([...uploadJson({ ...list, name: 'made', fields: [], tree, clustering: {} })]);

describe('a clustered list', () => {
  test.each([
    ['kinds of things', 1, made.kind],
    ['single things', 7, made.thing],
  ] as const)('has clusters of %s at stop %i', async (_, stop, groups) => {
    const tree = await cluster(made, listSettingsOf({ stop }), tools);
    checkTree(tree, made);
    const keywordsOf = Map.groupBy(made.texts.keys(), (keyword) => tree.topicOf[keyword]!);
    for (const [topic, keywords] of keywordsOf)
      if (tree.topics[topic]!.kind !== 'stray')
        expect(new Set(keywords.map((keyword) => groups[keyword])).size).toBe(1);
    expect(keywordsOf.size).toBeLessThan(2 * new Set(groups).size);
  });

  test('has pillar topics of one kind each', async () => {
    const tree = await cluster(made, listSettingsOf({ stop: 7, pillars: 6 }), tools);
    const pillarOf = made.texts.map((_, keyword) => topicsAbove(tree, tree.topicOf[keyword]!).at(-1)!);
    for (const [pillar, keywords] of Map.groupBy(made.texts.keys(), (keyword) => pillarOf[keyword]!))
      if (tree.topics[pillar]!.kind !== 'stray')
        expect(new Set(keywords.map((keyword) => made.kind[keyword])).size).toBe(1);
    expect(count(tree, 'pillar_topic')).toBe(6);
  });

  test('is the same twice, to the byte', async () => {
    const [first, second] = [
      await cluster(made, listSettingsOf(), tools),
      await cluster(made, listSettingsOf(), tools),
    ];
    expect(bytesOf(second, made).equals(bytesOf(first, made))).toBe(true);
  });

  test('says how far it is', async () => {
    const heard: ClusterProgress[] = [];
    await cluster(made, listSettingsOf(), { ...tools, onProgress: (progress) => heard.push(progress) });
    expect([...new Set(heard.map(({ stage }) => stage))]).toEqual([
      'variants',
      'meaning',
      'neighbours',
      'clusters',
      'names',
    ]);
    expect(heard.filter(({ stage }) => stage === 'meaning').at(-1)).toMatchObject({ done: 288, total: 288 });
  });

  // Shows P20.8.
  test('groups by wording without an encoder, and with one that does not know the language', async () => {
    const without = await cluster(made, listSettingsOf(), { neighbours: exactNeighbours });
    checkTree(without, made);
    const refusing = { ...madeEncoder, languages: ['de'], embed: () => Promise.reject(new Error('asked')) };
    const other = await cluster(made, listSettingsOf(), { ...tools, encoder: refusing });
    expect(bytesOf(other, made).equals(bytesOf(without, made))).toBe(true);
  });

  describe('with keywords in other scripts', () => {
    const russian = ['купить', 'заказать', 'дешевые', 'новые'].flatMap((wish) =>
      ['велосипед', 'телефон', 'пылесос'].map((thing) => `${wish} ${thing} недорого`),
    );
    const texts = [...made.texts, ...russian];
    const list = { texts, volume: new Float64Array(texts.length).fill(Number.NaN) };
    /** Gives all of them one vector, as the built-in model does. */
    const blind = {
      ...madeEncoder,
      embed: (some: readonly string[], onProgress?: (done: number) => void) =>
        madeEncoder.embed(
          some.map((text) => (madeEncoder.reads(text) ? text : '?')),
          onProgress,
        ),
    };
    test('they are grouped by wording, and their number is told', async () => {
      const heard: number[] = [];
      const asked: string[] = [];
      const encoder = {
        ...blind,
        embed: (some: readonly string[], onProgress?: (done: number) => void) => {
          asked.push(...some);
          return blind.embed(some, onProgress);
        },
      };
      const settings = listSettingsOf({ stop: 7 });
      const tree = await cluster(list, settings, { ...tools, encoder, onOtherScripts: (count) => heard.push(count) });
      checkTree(tree, list);
      expect(heard).toEqual([12]);
      expect(asked.filter((text) => !madeEncoder.reads(text))).toEqual([]);
    });

    // Shows P20.8.
    test('they resemble each other as much as their wording does', async () => {
      const similarities = async (encoder: Encoder | undefined) => {
        const features = await textFeaturesOf(texts, texts, wordsOf('en'), encoder, listSettingsOf(), false);
        const page = features.take('page');
        const vector = (row: number) => page.values.subarray(row * page.dimensions, (row + 1) * page.dimensions);
        const first = vector(made.texts.length);
        return russian.map((_, row) =>
          vector(made.texts.length + row).reduce((sum, value, at) => sum + value * first[at]!, 0),
        );
      };
      const byWording = await similarities(undefined);
      (await similarities(blind)).forEach((value, row) => {
        expect(value).toBeCloseTo(byWording[row]!, 4);
      });
      const byMeaning = await similarities({ ...blind, reads: () => true });
      expect(byMeaning.at(-1)! - byWording.at(-1)!).toBeGreaterThan(0.2);
    });

    test('the others have the topics they have without them', async () => {
      const alone = await cluster(made, listSettingsOf({ stop: 7 }), tools);
      const together = await cluster(list, listSettingsOf({ stop: 7 }), tools);
      const rows = (tree: TopicTree) => [
        ...Map.groupBy(made.texts.keys(), (row) => tree.topics[tree.topicOf[row]!]!.name).keys(),
      ];
      expect(new Set(rows(together)).size).toBeGreaterThan(0.8 * new Set(rows(alone)).size);
    });

    test('a list may have no others, and a tail', async () => {
      const only = { texts: russian, volume: new Float64Array(russian.length) };
      checkTree(await cluster(only, listSettingsOf(), tools), only);
      checkTree(await cluster(list, listSettingsOf({ force: { tail: true, shortVectors: true } }), tools), list);
    });

    test('nothing is told of lists without them, and where wording decides anyway', async () => {
      const heard: number[] = [];
      const onOtherScripts = (count: number) => heard.push(count);
      await cluster(made, listSettingsOf(), { ...tools, onOtherScripts });
      await cluster(list, listSettingsOf(), { neighbours: exactNeighbours, onOtherScripts });
      await cluster(list, listSettingsOf({ language: 'ru' }), { ...tools, onOtherScripts });
      expect(heard).toEqual([0]);
    });
  });

  test('has spelling variants side by side, as keywords of their own', async () => {
    const texts = [...made.texts, 'red shoes', 'shoe, red', 'the red shoe'];
    const list = { texts, volume: new Float64Array(texts.length).fill(Number.NaN) };
    const tree = await cluster(list, listSettingsOf(), tools);
    checkTree(tree, list);
    const topics = ['red shoe', 'red shoes', 'shoe, red', 'the red shoe'].map(
      (text) => tree.topicOf[texts.indexOf(text)],
    );
    expect(new Set(topics).size).toBe(1);
  });

  test('keeps what resembles nothing apart', async () => {
    const texts = [...made.texts, 'xylophagous quux', 'zwischenzug', Array.from('stray').join('q')];
    const tree = await cluster({ texts, volume: new Float64Array(texts.length) }, listSettingsOf(), tools);
    const names = texts.slice(-3).map((text) => tree.topics[tree.topicOf[texts.indexOf(text)]!]!.name);
    expect(names).toEqual([strayName, strayName, strayName]);
    expect(tree.topics.at(-1)!.kind).toBe('stray');
  });

  test.each([
    ['no keyword', []],
    ['one keyword', ['shoe']],
    ['two keywords', ['shoe', 'red shoe']],
    ['keywords without words', ['???', '!!!', '']],
    ['a keyword called as the strays are', [strayName, 'shoe']],
  ])('may have %s', async (_, texts) => {
    const list = { texts, volume: new Float64Array(texts.length).fill(Number.NaN) };
    for (const preset of ['page', 'balanced', 'broad'] as const)
      checkTree(await cluster(list, listSettingsOf({ preset, smallestCluster: 1 }), tools), list);
  });
});

describe('settings', () => {
  test('each stop is at least about as fine as the one before', async () => {
    const sizes: number[] = [];
    for (let stop = 1; stop <= 9; stop++) {
      const tree = await cluster(made, listSettingsOf({ stop, shape: 'pages', smallestCluster: 1 }), tools);
      checkTree(tree, made);
      sizes.push(count(tree, 'cluster'));
    }
    for (let at = 1; at < sizes.length; at++) expect(sizes[at]!).toBeGreaterThanOrEqual(0.9 * sizes[at - 1]!);
    expect(sizes[8]!).toBeGreaterThan(2 * sizes[0]!);
    expect(() => listSettingsOf({ stop: 10 })).toThrow(RangeError);
  });

  test('presets are stops, and page-level divides more finely than broad', async () => {
    const stops = (['page', 'balanced', 'broad'] as const).map((preset) => listSettingsOf({ preset }).stop);
    expect(stops).toEqual([8, 4, 2]);
    const clusters = async (preset: 'page' | 'broad') =>
      new Set((await cluster(made, listSettingsOf({ preset, shape: 'pages' }), tools)).topicOf).size;
    expect(await clusters('page')).toBeGreaterThan(await clusters('broad'));
  });

  test('nested clusters are kinds, with things as subtopics', async () => {
    const granularity = { pageResolution: 0.1, topicResolution: 0.1 };
    const tree = await cluster(made, { ...listSettingsOf({ shape: 'nested' }), granularity }, tools);
    checkTree(tree, made);
    expect(count(tree, 'subtopic')).toBeGreaterThan(6);
    tree.topicOf.forEach((topic, keyword) => {
      if (tree.topics[topic]!.kind !== 'subtopic') return;
      const [name, above] = [tree.topics[topic]!.name, tree.topics[tree.topics[topic]!.parent]!];
      expect(made.texts[keyword]).toContain(name);
      expect(['cluster', 'pillar_topic']).toContain(above.kind);
      const ofKind = made.texts.filter((_, row) => made.kind[row] === made.kind[keyword]).join('\n');
      for (const thing of above.name.split(', ')) expect(ofKind).toContain(thing);
    });
  });

  test('the number of pillar topics may be chosen', async () => {
    expect(count(await cluster(made, listSettingsOf({ pillars: 3 }), tools), 'pillar_topic')).toBe(3);
  });
});

describe('a long list', () => {
  test('has a head that is clustered and a tail that is assigned, alike in quality', async () => {
    const tree = await cluster(made, listSettingsOf({ force: { tail: true } }), tools);
    checkTree(tree, made);
    const thingsOf = Map.groupBy(made.texts.keys(), (keyword) => tree.topicOf[keyword]!);
    const mixed = [...thingsOf].filter(
      ([topic, keywords]) =>
        tree.topics[topic]!.kind !== 'stray' && new Set(keywords.map((keyword) => made.kind[keyword])).size > 1,
    );
    expect(mixed).toEqual([]);
    expect(tree.topicOf.filter((topic) => tree.topics[topic]!.kind === 'stray').length).toBeLessThan(15);
  });

  test('finds topics that only the tail has', async () => {
    const rare = Array.from({ length: 40 }, (_, number) => `submarine periscope ${'abcdefgh'[number % 8]}${number}`);
    const texts = [...made.texts, ...rare];
    const volume = Float64Array.from(texts, (_, row) => (row < made.texts.length ? 100 : 1));
    for (const shape of ['pages', 'nested', 'topics'] as const) {
      const tree = await cluster({ texts, volume }, listSettingsOf({ shape, force: { tail: true } }), tools);
      checkTree(tree, { texts, volume });
      const topics = new Set(rare.map((text) => tree.topicOf[texts.indexOf(text)]!));
      for (const topic of topics) expect(tree.topics[topic]!.kind).not.toBe('stray');
      for (const topic of topics)
        for (const [keyword, text] of texts.entries())
          if (tree.topicOf[keyword] === topic) expect(text).toContain('submarine');
    }
  });

  test('may have shorter vectors', async () => {
    checkTree(await cluster(made, listSettingsOf({ force: { shortVectors: true } }), tools), made);
  });
});

describe('clusters by search results', () => {
  const texts = ['red shoe', 'crimson boot', 'lamp', 'light', 'guitar', 'banjo', 'alone'];
  const urls = ['a', 'a', 'b', 'b', 'c', 'c', 'd'].map((site) =>
    [1, 2, 3].map((page) => `https://${site}.example/${page}`),
  );
  const list = { texts, urls, volume: Float64Array.of(1, 2, 3, 4, 5, 6, 7) };

  test.each(['soft', 'moderate', 'hard', 'smart'] as const)('%s: keywords that share enough URLs', async (sharing) => {
    const results = { sharing, least: 3, perKeyword: 10 };
    const tree = await cluster(list, listSettingsOf({ results }), tools);
    checkTree(tree, list);
    expect([...tree.topicOf].map((topic) => tree.topics[topic]!.name)).toEqual([
      'crimson boot',
      'crimson boot',
      'light',
      'light',
      'banjo',
      'banjo',
      strayName,
    ]);
    expect(tree.topics.slice(0, 3).map(({ confidence }) => confidence)).toEqual([100, 100, 100]);
  });

  test('a keyword without results is a stray', async () => {
    const tree = await cluster(
      { texts, volume: list.volume },
      listSettingsOf({ results: { sharing: 'soft', least: 1, perKeyword: 10 } }),
      tools,
    );
    expect(kinds(tree)).toEqual(new Set(['stray']));
  });
});
