import { sliceOf } from '@kc/pack/testing';
import { expect, test } from 'vitest';
import { listOf } from './branch-text.ts';

const shoes = sliceOf('shoes (running (trail 30 "=road" 20) walking 5 "-x\ty" 4 trail 3)');

test('a branch is a list that a sheet takes for columns', () => {
  expect(listOf(shoes)).toEqual(['shoes', '\trunning', '\t\ttrail', "\t\t'=road", '\twalking', "\t'-x y", '\ttrail']);
});
