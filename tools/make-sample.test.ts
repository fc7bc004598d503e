import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createUploadReader } from '../pack/src/upload/upload-reader.ts';
import { makeSample, makeSmallSample, readTopics, sampleFile, smallSampleFile } from './make-sample.ts';
import { parseTopics, type SampleTree } from './sample-topics.ts';

type SampleKeyword = { keyword: string; search_volume: number | null; trend: number[] };
const text = readFileSync(sampleFile, 'utf8');
const sample = JSON.parse(text) as { keywords: SampleKeyword[]; hierarchy: SampleTree };

const levels = (node: SampleTree): number => 1 + Math.max(0, ...(node.children ?? []).map(levels));
const leaves = (node: SampleTree): string[] => (node.children ? node.children.flatMap(leaves) : [node.name]);

test('the committed sample equals the output of the generator', () => {
  expect(text === makeSample(readTopics()), 'run node tools/make-sample.ts and commit the file').toBe(true);
});

test('the sample says that it is one, and has 8 pillar topics and 5 levels', () => {
  expect(sample.hierarchy.name).toBe('Garden shop (sample data)');
  expect(sample.hierarchy.children).toHaveLength(8);
  expect(levels(sample.hierarchy)).toBe(5);
});

test('the sample has about 2,000 keywords, and its leaves are exactly its keywords', () => {
  expect(sample.keywords.length).toBeGreaterThan(1_900);
  expect(sample.keywords.length).toBeLessThan(2_300);
  expect(new Set(leaves(sample.hierarchy))).toEqual(new Set(sample.keywords.map((entry) => entry.keyword)));
});

test('the sample has unknown volumes, several scripts and twelve months of trend', () => {
  expect(sample.keywords.some((entry) => entry.search_volume === null)).toBe(true);
  for (const script of [/\p{sc=Cyrillic}/u, /\p{sc=Han}/u, /\p{sc=Arabic}/u, /\p{sc=Devanagari}/u, /\p{sc=Hangul}/u]) {
    expect(sample.keywords.some((entry) => script.test(entry.keyword))).toBe(true);
  }
  expect(new Set(sample.keywords.map((entry) => entry.trend.length))).toEqual(new Set([12]));
});

test('the example file is an excerpt of the sample, and the product accepts it', () => {
  const small = readFileSync(smallSampleFile);
  expect(small.toString() === makeSmallSample(text), 'run node tools/make-sample.ts and commit the file').toBe(true);
  expect(small.length).toBeLessThan(16_000);
  const reader = createUploadReader({ check: true });
  reader.push(small);
  expect(reader.finish()).toMatchObject({ ok: true });
  expect(reader.outline()).toMatchObject({ rootName: 'Garden shop (sample data)', pillars: 2, clusters: 12, depth: 4 });
  const { keywords, hierarchy } = JSON.parse(small.toString()) as typeof sample;
  expect(new Set(leaves(hierarchy))).toEqual(new Set(keywords.map((entry) => entry.keyword)));
});

test('an invalid topic line is rejected', () => {
  expect(() => parseTopics('# Pillar | 1 +0\n## Subtopic\nproduct Spades')).toThrow('Not a cluster: product Spades');
  expect(() => parseTopics('# Pillar')).toThrow('Not a pillar: # Pillar');
});
