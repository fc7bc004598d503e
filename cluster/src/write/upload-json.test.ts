import { createIngest } from '@kc/pack/ingest';
import { createUploadReader } from '@kc/pack/upload/upload-reader';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Topic } from '../pipeline/topic-tree.ts';
import { type ClusteredList, uploadJson } from './upload-json.ts';

const topic = (name: string, kind: Topic['kind'], parent: number, more: Partial<Topic> = {}): Topic => ({
  name,
  kind,
  parent,
  confidence: Number.NaN,
  terms: [],
  ...more,
});

const unknown = Number.NaN;
const list: ClusteredList = {
  name: 'drupal',
  texts: ['drupal views', 'drupal', 'views tutorial', 'zebra'],
  fields: [
    { name: 'search_volume', values: Float64Array.of(880, 14800, 0, unknown) },
    { name: 'intent', values: [['informational'], [], undefined, ['commercial', 'transactional']] },
    { name: 'url', values: ['https://example.com/a', '', undefined, 'https://example.com/b'] },
  ],
  volume: Float64Array.of(880, 14800, 0, unknown),
  tree: {
    topics: [
      topic('drupal', 'pillar_topic', -1),
      topic('drupal views', 'cluster', 0, { confidence: 91, terms: ['views', 'drupal'] }),
      topic('Stray keywords', 'stray', -1),
    ],
    topicOf: Int32Array.of(1, 1, 1, 2),
    similarity: Float32Array.of(0.914, 0.996, 0.5, unknown),
  },
  clustering: { method: 'text', seed: 1 },
};

const bytesOf = (of: ClusteredList) => Buffer.concat([...uploadJson(of)]);
const textOf = (of: ClusteredList) => bytesOf(of).toString();

describe('the JSON file of a clustered list', () => {
  test('has keywords in order, topics with keywords by volume, and the settings', () => {
    expect(textOf(list)).toBe(
      '{"keywords":[' +
        '{"keyword":"drupal views","search_volume":880,"intent":["informational"],"url":"https://example.com/a","similarity":0.91},' +
        '{"keyword":"drupal","search_volume":14800,"similarity":1},' +
        '{"keyword":"views tutorial","search_volume":0,"similarity":0.5},' +
        '{"keyword":"zebra","intent":["commercial","transactional"],"url":"https://example.com/b"}],' +
        '"hierarchy":{"name":"drupal","type":"root","children":[' +
        '{"name":"drupal","type":"pillar_topic","children":[' +
        '{"name":"drupal views","type":"cluster","confidence":91,"children":[' +
        '{"name":"drupal","type":"keyword"},{"name":"drupal views","type":"keyword"},{"name":"views tutorial","type":"keyword"}]}]},' +
        '{"name":"Stray keywords","type":"stray","children":[{"name":"zebra","type":"keyword"}]}]},' +
        '"clustering":{"format":1,"method":"text","seed":1}}',
    );
  });

  test('is an upload that keeps similarity, confidence and every keyword', () => {
    const ingest = createIngest({ hashKey: [1, 2] });
    for (const block of uploadJson(list)) expect(ingest.push(block)).toBeUndefined();
    const result = ingest.finish();
    if (!result.ok) throw new Error(result.problem.what);
    const valuesOf = (name: string) => {
      const found = result.tree.fields.find(({ field }) => field.name === name)!;
      expect(found.field.kind).toBe('number');
      return Array.from({ length: result.tree.counts.nodes }, (_, node) => found.at(node)).filter(
        (value) => value >= 0,
      );
    };
    expect(valuesOf('similarity')).toEqual([1, 0.91, 0.5]);
    // The cluster's, which its three keywords share; the stray keyword has none.
    expect(valuesOf('confidence')).toEqual([91, 91, 91, 91]);
    expect(result.tree.counts).toMatchObject({ nodes: 8, keywords: 4, notInHierarchy: 0, merged: 0 });
  });

  test('holds any text and stays valid', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', minLength: 1 }),
      fc.constantFrom('"', '\\', '\u2028', '\ud800', '</script>'),
    );
    fc.assert(
      fc.property(fc.uniqueArray(text, { minLength: 1, maxLength: 8 }), text, (texts, name) => {
        const any: ClusteredList = {
          ...list,
          name,
          texts,
          fields: [{ name, values: texts }],
          volume: new Float64Array(texts.length),
          tree: {
            topics: [topic(name, 'pillar_topic', -1)],
            topicOf: new Int32Array(texts.length),
            similarity: new Float32Array(texts.length),
          },
        };
        // UTF-8 has no lone surrogates: they arrive as escapes, and JSON.parse gives them back.
        const read = JSON.parse(textOf(any));
        expect(read.keywords.map((entry: { keyword: string }) => entry.keyword)).toEqual(texts);
        expect(read.hierarchy.children[0].children.map((node: { name: string }) => node.name).sort()).toEqual(
          texts.toSorted(),
        );
        expect(read.hierarchy.children[0].name).toBe(name);
      }),
    );
  });

  test('comes in blocks, in which a long list is complete', () => {
    const texts = Array.from({ length: 30_000 }, (_, row) => `keyword number ${row} with a rather long text`);
    const long: ClusteredList = {
      ...list,
      texts,
      fields: [],
      volume: new Float64Array(texts.length).fill(unknown),
      tree: {
        topics: [topic('all', 'pillar_topic', -1)],
        topicOf: new Int32Array(texts.length),
        similarity: new Float32Array(texts.length),
      },
    };
    const blocks = [...uploadJson(long)];
    expect(blocks.length).toBeGreaterThan(3);
    expect(Math.max(...blocks.map(({ length }) => length))).toBeLessThan(1.1 * 2 ** 20);
    const reader = createUploadReader({ check: true });
    for (const block of blocks) expect(reader.push(block)).toBeUndefined();
    expect(reader.finish().ok).toBe(true);
    expect(reader.progress).toMatchObject({ keywords: 30_000, nodes: 30_002 });
  });
});
