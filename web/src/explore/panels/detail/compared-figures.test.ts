import { sliceOf } from '@kc/pack/test/support/trees';
import type { NodeDetail } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import type { ComparedItem } from '../../model/compared-nodes.ts';
import { comparedFigures, comparedLines } from './compared-figures.ts';

/** Rows: 0 shop, 1 shoes, 2 hats, then keywords. */
const tree = loadTree(sliceOf('shop (shoes (trail road walking) hats (=sun))'));

const textsOf = (rows: readonly ComparedItem[], label: string) => {
  const figure = comparedFigures(tree, rows).find((one) => one.label === label);
  return figure && { texts: figure.texts, best: figure.best };
};

test('figures are side by side, and in a tie none is marked', () => {
  expect(textsOf([2, 1], 'Keywords')).toEqual({ texts: ['1', '3'], best: undefined });
  expect(textsOf([2, 1], 'Share of all')).toEqual({ texts: ['25.0 %', '75.0 %'], best: undefined });
  expect(textsOf([1, 2], 'Level')).toEqual({ texts: ['1', '1'], best: undefined });
});

test('a high volume and cost per click are better, a low difficulty and position', () => {
  const slice = sliceOf('shop (shoes 90 (trail 90) hats 40 (sun 40))');
  slice.difficulty.set([60, 35], 1);
  slice.cpc.set([0.5, 1.25], 1);
  const measure = (value: number) => ({ value, known: 1 });
  const detail = (position: number) =>
    ({ position: measure(position), competition: measure(0.5) }) as unknown as NodeDetail;
  const figures = comparedFigures(loadTree(slice), [1, 2], [detail(3), detail(8)]);
  const best = (label: string) => figures.find((one) => one.label === label)?.best;
  expect(['Volume a month', 'Difficulty', 'CPC', 'Position'].map(best)).toEqual([0, 1, 1, 0]);
  expect(best('Competition')).toBeUndefined();
});

test('there is no position until the server has responded', () => {
  expect(textsOf([1, 2], 'Position')).toBeUndefined();
});

test('figures that read the same are a tie', () => {
  const alike = sliceOf('shop (shoes (trail) hats (sun))');
  alike.cpc.set([0.241, 0.244], 1);
  const cpc = comparedFigures(loadTree(alike), [1, 2]).find((one) => one.label === 'CPC');
  expect(cpc).toMatchObject({ texts: ['0.24', '0.24'], best: undefined });
});

test('intents known for some of the keywords are marked like any other figure', () => {
  const slice = sliceOf('shop (shoes (trail road walking) hats (sun))');
  slice.intent.set([1, 0, 1, 0], 1 * 4);
  slice.intent.set([1, 0, 0, 0], 2 * 4);
  const figure = comparedFigures(loadTree(slice), [1, 2]).find((one) => one.label === 'Informational');
  expect(figure).toMatchObject({ texts: ['50.0 %', '100 %'], isPartly: [true, false] });
});

test('a figure that no node has is omitted', () => {
  expect(textsOf([1, 2], 'CPC')).toBeUndefined();
  expect(textsOf([1, 2], 'Navigational')).toBeUndefined();
});

test('copied figures have one row per node, and no cell is a formula', () => {
  const rows = [1, 5, 6].map((row) => row);
  const [head, ...lines] = comparedLines(tree, rows).map((line) => line.split('\t'));
  expect(head!.slice(0, 2)).toEqual(['Name', 'Keywords']);
  expect(lines.map(([name, keywords]) => `${name} ${keywords}`)).toEqual(['shoes 3', 'walking 1', "'=sun 1"]);
});

test('excluded nodes have no figures and do not make the remaining one the best', () => {
  const away = { name: 'socks', address: '0'.repeat(16), path: [0, 9] };
  const [keywords] = comparedFigures(tree, [away, 1]);
  expect(keywords).toMatchObject({ texts: ['–', '3'], best: undefined, isPartly: [false, false] });
  expect(textsOf([away, 1, 2], 'Keywords')).toEqual({ texts: ['–', '3', '1'], best: undefined });
  expect(comparedFigures(tree, [away, away])).toEqual([]);
  const [head, line] = comparedLines(tree, [away, 1]);
  expect(line).toBe(`socks${'\t'.repeat(head!.split('\t').length - 1)}`);
});
