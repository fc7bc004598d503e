import { sliceOf } from '@kc/pack/test/support/trees';
import { expect, test } from 'vitest';
import { listOf, plainCell } from './branch-text.ts';

const shoes = sliceOf('shoes (running (trail 30 "=road" 20) walking 5 "-x\ty" 4 trail 3)');

test('a branch is a list that a sheet takes for columns', () => {
  expect(listOf(shoes)).toEqual(['shoes', '\trunning', '\t\ttrail', "\t\t'=road", '\twalking', "\t'-x y", '\ttrail']);
});

test.each([';=1+1', ' =1+1', '"=', ',=', '|', '\t=1'])(
  'T49 %j is no formula in a sheet that it is pasted into',
  (name) => {
    expect(plainCell(name)).toMatch(/^'/);
  },
);
