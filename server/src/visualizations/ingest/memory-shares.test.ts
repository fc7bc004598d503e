import { expect, test } from 'vitest';
import { createMemoryShares } from './memory-shares.ts';

const never = new AbortController().signal;

test('arriving files are read at once while there is memory; one without memory waits', () => {
  const shares = createMemoryShares(100);
  const ended: string[] = [];
  const one = shares.whileArriving(() => ended.push('one'));
  const two = shares.whileArriving(() => ended.push('two'));
  one.need(60);
  two.need(40);
  expect(ended).toEqual([]);
  two.need(41);
  expect(ended).toEqual(['two']);
  two.need(50);
  one.need(100);
  expect(ended).toEqual(['two']);
});

test('a complete file can take all memory: the others yield, the largest first', async () => {
  const shares = createMemoryShares(100);
  const ended: string[] = [];
  shares.whileArriving(() => ended.push('small')).need(20);
  shares.whileArriving(() => ended.push('large')).need(50);
  const whole = await shares.alone(never);
  whole.need(30);
  expect(ended).toEqual([]);
  whole.need(80);
  expect(ended).toEqual(['large']);
  whole.need(100);
  expect(ended).toEqual(['large', 'small']);
});

test('complete files wait for each other, and one that stops waiting lets the next one in', async () => {
  const shares = createMemoryShares(100);
  const order: string[] = [];
  const first = await shares.alone(never);
  const impatient = new AbortController();
  const second = shares.alone(impatient.signal).catch((error: Error) => order.push(error.message));
  const third = shares.alone(never).then((share) => {
    order.push('third');
    share.release();
  });
  impatient.abort(new Error('second left'));
  await second;
  expect(order).toEqual(['second left']);
  first.release();
  await third;
  expect(order).toEqual(['second left', 'third']);
});

test('a file that needs more than the total memory is rejected without stopping any other', () => {
  const shares = createMemoryShares(100);
  const ended: string[] = [];
  shares.whileArriving(() => ended.push('one')).need(50);
  shares.whileArriving(() => ended.push('two')).need(101);
  expect(ended).toEqual([]);
});

test('released memory is available again', () => {
  const shares = createMemoryShares(100);
  const ended: string[] = [];
  const one = shares.whileArriving(() => ended.push('one'));
  one.need(90);
  one.release();
  shares.whileArriving(() => ended.push('two')).need(90);
  expect(ended).toEqual([]);
});
