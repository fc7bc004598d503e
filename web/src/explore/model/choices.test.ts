import { sliceOf } from '@kc/pack/test/support/trees';
import type { Field } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import { axisChoices, canColour, canSize, colourChoices, sizeChoices } from './choices.ts';

const tree = loadTree(sliceOf('shop (shoes 30 hats 40 belts)'));
const category = (name: string, values: number): Field => ({
  name,
  kind: 'category',
  values: ['', ...Array.from({ length: values }, (_, i) => `v${i}`)],
  counts: Array.from({ length: values + 1 }, () => 1),
});
const number = (name: string, min: number): Field => ({ name, kind: 'number', rollUp: 'mean', least: min });
const set: Field = { name: 'Features', kind: 'set', values: ['', 'Video'], counts: [0, 2] };
const fields = [number('Traffic', 0), number('Change', -0.5), category('Stage', 24), category('Country', 25), set];
const labels = (choices: readonly { readonly label: string; readonly disabled?: boolean }[]) =>
  choices.map(({ label, disabled }) => (disabled ? `(${label})` : label));

// Shows P14.8, P15.14.
test('known fields are offered as colours; unusable ones give a reason and unknown ones are absent', () => {
  const withheld = [
    { name: 'Landing page', kind: 'none', why: 'values' },
    { name: 'Field 17', kind: 'none', why: 'more' },
    { name: 'Field 18', kind: 'none', why: 'more' },
  ] as const;
  expect(labels(colourChoices(tree, fields, 'pillar', withheld))).toEqual([
    'Pillar topic',
    'Level',
    'Type',
    'Keywords',
    'Volume',
    'Traffic',
    'Change',
    'Stage',
    '(Country: 25 values, too many to tell apart)',
    '(Features: a keyword has several)',
    '(Landing page: more than 255 different values)',
    '(2 others: too many fields in the file)',
  ]);
  expect(fields.map(canColour)).toEqual([true, true, true, false, false]);
});

// Shows P14.8.
test('every number without values below 0 is offered as size', () => {
  expect(labels(sizeChoices(tree, fields, 'keywords'))).toEqual([
    'Keywords',
    'Volume',
    'Traffic',
    '(Change: some are below 0)',
    'Equal',
  ]);
  expect(fields.map(canSize)).toEqual([true, false, false, false, false]);
});

test('an axis that a link chose stays in its menu and says that nothing is known', () => {
  expect(labels(axisChoices(tree, [], 'difficulty', 'volume'))).toEqual([
    'Keywords',
    '(Volume: the other axis)',
    '(Difficulty: nothing is known)',
  ]);
});

test('the chosen field is in the menu before the fields have loaded', () => {
  expect(labels(colourChoices(tree, undefined, 'field:Traffic')).at(-1)).toBe('Traffic');
  expect(labels(sizeChoices(tree, undefined, 'field:Traffic')).at(-2)).toBe('Traffic');
});
