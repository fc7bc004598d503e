import type { UploadOutline } from '@kc/pack/upload/upload-outline';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { transferOf } from '../../../../test/support/transfer.ts';
import type { FileCheck } from '../../../api/transfers.ts';
import { CheckPanel, treeOf } from './check-panel.tsx';

// Files of one worker share imports: another file may have loaded these without the mocks.
vi.hoisted(() => vi.resetModules());
vi.mock('../../../api/transfers.ts', () => ({ skipCheck: () => undefined }));

const outline = {
  rootName: 'Shop',
  pillars: 17,
  clusters: 116,
  depth: 3,
  types: [{ name: 'pillar_topic', nodes: 17 }],
  volume: { sum: 165_830, known: 27_000 },
  top: ['Other', 'Platform', 'Social', 'Blog'].map((name) => ({ name, leaves: 10, parts: [6, 4] })),
  restLeaves: 5,
  unrecognised: [] as string[],
};
const unread = { ...outline, pillars: 0, clusters: 0, depth: 0, types: [], top: [], restLeaves: 0 };
const check = (change: Partial<FileCheck>): FileCheck => ({
  state: 'good',
  bytes: 8_200_000,
  keywords: 27_640,
  nodes: 27_774,
  outline,
  ...change,
});

/** The panel's texts, tag by tag. */
const textsOf = (change: Partial<FileCheck>, more: Parameters<typeof transferOf>[0] = {}): string[] =>
  renderToStaticMarkup(
    <CheckPanel
      transfer={transferOf({ check: check(change), totalBytes: 8_200_000, ...more })}
      onClose={() => undefined}
    />,
  )
    .split(/<[^>]*>/)
    .filter((text) => text !== '');

// Shows P9.4.
test('a valid file is described in figures, each with its label', () => {
  const texts = textsOf({});
  expect(texts).toContain('Valid JSON');
  for (const [name, value] of [
    ['Pillar topics', '17'],
    ['Clusters', '116'],
    ['Keywords', '27,640'],
    ['Search volume', '165,830'],
    ['Levels', '4'],
    ['Size', '8.2 MB'],
  ] as const) {
    expect(texts[texts.indexOf(name) + 1], name).toBe(value);
  }
  expect(texts.join('')).toContain('known for 27,000');
  expect(texts.join('')).toContain('Largest pillar topics: Other, Platform, Social and 14 more');
  expect(texts).toContain('pillar_topic × 17');
});

// Shows P9.4.
test('unrecognised names are listed, so that a misspelled metric is noticed; if there are none, nothing is shown', () => {
  expect(textsOf({}).join('')).not.toContain('recognised');
  const few = textsOf({ outline: { ...outline, unrecognised: ['serch volume', 'Owner'] } }).join('');
  expect(few).toContain('Not recognised as metrics, kept as custom fields: serch volume, Owner');
  const names = Array.from({ length: 15 }, (_, index) => `m${index}`);
  const many = textsOf({ outline: { ...outline, unrecognised: names } }).join('');
  expect(many).toContain('m11 and 3 more');
  expect(many).not.toContain('m12');
});

test('nothing is said about a hierarchy that was not reached yet, nor about volumes if the file has none', () => {
  const texts = textsOf({
    state: 'running',
    bytes: 820_000,
    nodes: 0,
    outline: { ...unread, volume: { sum: 0, known: 0 } },
  });
  expect(texts).toContain('Checking: 10%');
  expect(texts).toContain('Upload without checking');
  for (const name of ['Pillar topics', 'Clusters', 'Levels']) expect(texts[texts.indexOf(name) + 1]).toBe('–');
  expect(texts[texts.indexOf('Search volume') + 1]).toBe('Unknown');
});

test('the position of the first error stays visible: line, column, byte and excerpt', () => {
  const params = { what: 'the file ends too early', byte: 1_234_567, line: 12, column: 3, excerpt: '{"name":' };
  const texts = textsOf(
    { state: 'broken', outline: unread, nodes: 0 },
    {
      state: 'failed',
      refusal: { code: 'upload/invalid-json', params },
    },
  );
  expect(texts).toContain('Not valid');
  expect(texts).toContain('the file ends too early');
  expect(texts.join('')).toContain('Line 12 · column 3 · byte 1,234,567');
  expect(texts).toContain('{&quot;name&quot;:');
});

test('a skipped check names the file and says that the server checks it', () => {
  expect(textsOf({ state: 'skipped' }, { fileName: 'shoes.json' })).toEqual([
    'In this file',
    'Not checked here',
    'shoes.json',
    'The server alone checks it.',
  ]);
});

test('an error that only the server finds is shown in the same place', () => {
  const params = { what: 'a value was expected', byte: 9, line: 1, column: 9, excerpt: '…' };
  for (const state of ['running', 'skipped', 'good'] as const) {
    const texts = textsOf({ state }, { state: 'failed', refusal: { code: 'upload/invalid-json', params } });
    expect(texts).toContain('Not valid');
    expect(texts).toContain('a value was expected');
    expect(texts).not.toContain('Upload without checking');
  }
});

const outlineOf = (volume: UploadOutline['volume']): UploadOutline => ({
  rootName: 'shop',
  pillars: 1,
  clusters: 0,
  depth: 2,
  types: [],
  volume,
  top: [{ name: 'a', leaves: 2, parts: [1, 1] }],
  restLeaves: 3,
  unrecognised: [],
});

test('the preview sizes topics by their leaves', () => {
  expect(treeOf(outlineOf({ sum: 0, known: 0 }))).toEqual({
    pillars: [{ weight: 2, parts: [1, 1], colour: 1 }],
    rest: 3,
  });
});

test('with volumes in the file, no topic has a colour that the explorer, which assigns colours by volume, would change', () => {
  expect(treeOf(outlineOf({ sum: 9, known: 1 })).pillars.map(({ colour }) => colour)).toEqual([0]);
});
