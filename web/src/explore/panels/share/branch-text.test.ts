import { expect, test } from 'vitest';
import { sliceOf } from '../../../../../pack/test/support/trees.ts';
import { listOf, plainCell } from './copy-branch.ts';

const shoes = sliceOf('shoes (running (trail 30 "=road" 20) walking 5 "-x\ty" 4 trail 3)');

test('a branch is copied as a list that a spreadsheet pastes into columns', () => {
  expect(listOf(shoes)).toEqual(['shoes', '\trunning', '\t\ttrail', "\t\t'=road", '\twalking', "\t'-x y", '\ttrail']);
});

// Shows P16.10.
test.each([';=1+1', ' =1+1', '"=', ',=', '|', '\t=1'])(
  'T49 %j does not become a formula when it is pasted into a spreadsheet',
  (name) => {
    expect(plainCell(name)).toMatch(/^'/);
  },
);
