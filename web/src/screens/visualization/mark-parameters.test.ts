import { fieldOfTopic, markFields, stampedName } from '@kc/pack/slice/mark-fields';
import type { SliceField } from '@kc/pack/slice/slice';
import { expect, test } from 'vitest';
import { mayLackUpload, readNames, setFields, unknownChanges, withStamps } from './binary-calls.ts';

const change = stampedName(fieldOfTopic.change, 'old');
const plan = stampedName(fieldOfTopic.plan, '7.0');

test('fields of the file are named, and a comparison and the plan are parameters', () => {
  const parameters = new URLSearchParams();
  setFields(parameters, readNames(['Stage', change, plan, 'Owner']));
  expect([...parameters]).toEqual([
    ['field', 'Stage'],
    ['field', 'Owner'],
    ['vs', 'old'],
    ['plan', '7.0'],
  ]);
});

test('what a response says of these gets the name of what was asked for', () => {
  const field = (name: string): SliceField => ({
    name,
    kind: 'number',
    rollUp: 'sum',
    value: new Float64Array(1),
    known: new Uint32Array(1),
  });
  const answered = [field('Stage'), field(markFields.volumeBefore), field(markFields.covered)];
  expect(withStamps(answered, readNames([change, plan])).map(({ name }) => name)).toEqual([
    'Stage',
    stampedName(markFields.volumeBefore, 'old'),
    stampedName(markFields.covered, '7.0'),
  ]);
  expect(withStamps(answered, readNames(['Stage']))).toBe(answered);
});

test('without the other upload, the change of every row is unknown', () => {
  expect(mayLackUpload(404, readNames([change]))).toBe(true);
  expect([mayLackUpload(500, readNames([change])), mayLackUpload(404, readNames([plan]))]).toEqual([false, false]);
  const field = unknownChanges(2, readNames([change]));
  expect([field.name, [...field.value], [...field.known]]).toEqual([change, [0, 0], [0, 0]]);
});
