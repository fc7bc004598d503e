import { describe, expect, test } from 'vitest';
import { exactNeighbours } from '../../test/support/exact-neighbours.ts';
import { madeEncoder, madeKeywords } from '../../test/support/made-keywords.ts';
import { DraftAddresses } from '../draft/addresses.ts';
import { draftJson } from '../draft/draft-json.ts';
import { beginDraft } from '../draft/draft-state.ts';
import { divide, listSettingsOf, prepareList } from '../pipeline/cluster.ts';
import { MapError } from './map-entries.ts';
import { type KeywordMapFile, readMap as read, withMeanings } from './read-map.ts';

const readMap = (json: object): KeywordMapFile => read(JSON.stringify(json));
/** Written anew as a whole. */
const written = (map: KeywordMapFile): unknown =>
  JSON.parse(Buffer.concat([...draftJson({ ...map, original: undefined })]).toString());

const made = {
  keywords: [
    {
      keyword: 'red shoe',
      search_volume: 90,
      intent: ['informational'],
      own: { deep: [1, null] },
      note: '',
      isNew: true,
    },
    { keyword: 'blue shoe', search_volume: 70, cpc: 0 },
    { keyword: 'cheap lamp', similarity: 0.5 },
  ],
  hierarchy: {
    name: 'shop',
    type: 'root',
    children: [
      {
        name: 'lamps',
        type: 'pillar_topic',
        children: [
          { name: 'cheap', type: 'cluster', confidence: 61, children: [{ name: 'cheap lamp', type: 'keyword' }] },
        ],
      },
      {
        name: 'shoes',
        type: 'pillar_topic',
        children: [
          {
            name: 'colours',
            type: 'cluster',
            children: [
              { name: 'red shoe', type: 'keyword' },
              { name: 'blue shoe', type: 'keyword' },
            ],
          },
        ],
      },
    ],
  },
};

// Shows P23.6.
test('a map that is read and written again has the same entries and the same tree', () => {
  const map = readMap(made);
  const { keywords, hierarchy } = written(map) as typeof made;
  expect(keywords).toEqual(made.keywords);
  expect(hierarchy).toEqual(made.hierarchy);
  expect([...map.volume]).toEqual([90, 70, Number.NaN]);
});

test('strays beside a pillar topic that is called like them have another name, so that both have an address', () => {
  const [lamps] = made.hierarchy.children;
  const hierarchy = { ...made.hierarchy, children: [{ ...lamps, name: 'Stray keywords' }] };
  const { topics } = readMap({ ...made, hierarchy }).state;
  const tops = topics.filter(({ parent }) => parent < 0).map(({ name, kind }) => [name, kind]);
  expect(tops).toEqual([
    ['Stray keywords', 'pillar_topic'],
    ['Stray keywords (2)', 'stray'],
  ]);
});

test('a map of ours is read as the state that it was written from', async () => {
  const list = madeKeywords();
  const settings = listSettingsOf({ shape: 'nested', smallestCluster: 2 });
  const prepared = await prepareList(list, settings, { encoder: madeEncoder, neighbours: exactNeighbours });
  const first = beginDraft(divide(list, prepared, settings), settings.stop);
  const fields = [{ name: 'search_volume', values: list.volume }];
  const text = { name: 'made', texts: list.texts, volume: list.volume, fields, clustering: { method: 'text' } };
  const map = read(Buffer.concat([...draftJson({ ...text, state: first })]).toString());
  expect(map.texts).toEqual(list.texts);
  expect(map.volume).toEqual(list.volume);
  // Similarities are written with two decimals.
  const topics = first.topics.map((topic, place) => ({ ...topic, place }));
  expect({ ...map.state, similarity: [] }).toEqual({ ...first, topics, similarity: [], stop: undefined });
});

describe('IDs of topics', () => {
  const addresses = new DraftAddresses(readMap(made).state, readMap(made).texts, 'shop');
  const withIds = (ids: readonly (string | undefined)[], excluded?: unknown[]): KeywordMapFile => {
    const decided = ids.map((id, topic) => [addresses.ofTopic(topic), { ...(id && { id }), locked: true }]);
    return readMap({ ...made, clustering: { nodes: Object.fromEntries(decided), excluded } });
  };
  const idsOf = ({ state }: KeywordMapFile) => state.topics.map(({ id }) => id);

  test('are never those of topics that excluded keywords would come back to', () => {
    const excluded = [{ keyword: 'gone lamp', from: 'k0005' }, { keyword: 'x', from: 'other' }, null];
    expect(withIds(['k0001', 'k0002', 'k0003', 'k0004'], excluded).state.next).toBe(6);
  });

  test('are made for topics that have none or that of another, and what was decided is kept', () => {
    const map = withIds(['k0002', undefined, 'k0002', 'k9999999999999999999']);
    expect(idsOf(map)).toEqual(['k0002', 'k0005', 'k0006', 'k0007']);
    expect(map.state.topics.every(({ isLocked }) => isLocked)).toBe(true);
    expect(map.state.next).toBe(8);
  });
});

test('keywords without a topic become strays, and nodes without entries keywords', () => {
  const unplaced = readMap({ ...made, keywords: [...made.keywords, { keyword: 'lost' }] });
  const { topics, topicOf } = unplaced.state;
  expect(topics.at(-1)).toMatchObject({ name: 'Stray keywords', kind: 'stray', parent: -1 });
  expect(topicOf.at(-1)).toBe(topics.length - 1);
  const ofRoot = readMap({ hierarchy: { name: 'x', children: ['k'] } });
  expect(ofRoot.state.topics[ofRoot.state.topicOf[0]!]!.kind).toBe('stray');
  const bare = readMap({ hierarchy: made.hierarchy });
  expect(bare.texts).toEqual(['cheap lamp', 'red shoe', 'blue shoe']);
});

describe('a map that a draft cannot hold is refused', () => {
  const [, shoes] = made.hierarchy.children;
  const twice = { ...made.hierarchy, children: [...made.hierarchy.children, { ...shoes!, name: 'again' }] };
  test.each([
    ['with a keyword in two places', { ...made, hierarchy: twice }],
    ['with a topic that has figures', { ...made, hierarchy: { name: 'x', children: [{ ...shoes, volume: 3 }] } }],
    ['with two topics of one name', { ...made, hierarchy: { name: 'x', children: [shoes, shoes] } }],
    ['with two entries of one keyword', { ...made, keywords: [...made.keywords, { keyword: 'red shoe' }] }],
    ['with a node that has no entry', { ...made, keywords: made.keywords.slice(1) }],
    ['without a hierarchy', { keywords: made.keywords }],
    ['with an entry without a keyword', { ...made, keywords: [{ volume: 3 }] }],
    [
      'with two topics of one name in another composition',
      { hierarchy: inBoth({ children: ['a'] }, { children: ['b'] }) },
    ],
    ['with two keywords of one text in another composition', { hierarchy: inBoth({}, {}) }],
  ])('%s', (_, json) => {
    expect(() => readMap(json)).toThrow(MapError);
  });
});

/** Two nodes that are called é, composed and decomposed: pack and draft compute addresses from NFC. */
const inBoth = (one: object, other: object) => ({
  name: 'x',
  children: [
    {
      name: 'top',
      children: [
        { name: '\u00e9', ...one },
        { name: 'e\u0301', ...other },
      ],
    },
  ],
});

test('a topic and a keyword beside it that differ in composition alone have different addresses', () => {
  const { state, texts, name } = readMap({ hierarchy: inBoth({ children: ['a'] }, {}) });
  const addresses = new DraftAddresses(state, texts, name);
  const keyword = texts.indexOf('e\u0301');
  expect(addresses.find(addresses.ofKeyword(keyword))).toEqual({ keyword });
});

test('an entry belongs to the node of its text, however that is composed', () => {
  const hierarchy = { name: 'x', children: [{ name: 'top', children: ['e\u0301'] }] };
  const { texts, volume } = readMap({ keywords: [{ keyword: '\u00e9', search_volume: 5 }], hierarchy });
  expect(texts).toEqual(['\u00e9']);
  expect([...volume]).toEqual([5]);
});

test('what members are can be corrected: by volume, and under other names', () => {
  const json = JSON.stringify({
    keywords: [{ keyword: 'a', figure: 5, volume: 7, note: 'x' }],
    hierarchy: { name: 'shop', children: [{ name: 'first', children: [{ name: 'a' }] }] },
  });
  expect([...read(json).volume]).toEqual([7]);
  const corrected = { figure: 'volume', note: 'leaveOut' } as const;
  const map = read(json, corrected);
  expect([...map.volume]).toEqual([5]);
  // The members stay as they are in an adjusted map, which is read with the corrections.
  expect(map.fields.map(({ name }) => name)).toEqual(['figure', 'volume', 'note']);
  const renamed = withMeanings(map, corrected).fields.map(({ name, values }) => [name, values[0]]);
  expect(renamed).toEqual([
    ['search volume', 5],
    ['volume as it is', 7],
  ]);
});
