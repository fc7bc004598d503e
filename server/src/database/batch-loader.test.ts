import { expect, test } from 'vitest';
import { batchLoader } from './open.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('requests of one turn are loaded in one batch, and each gets its own result', async () => {
  const asked: (readonly number[])[] = [];
  const double = batchLoader(async (keys: readonly number[]) => {
    asked.push(keys);
    return keys.map((key) => key * 2);
  });
  expect(await Promise.all([double(1), double(2), double(1)])).toEqual([2, 4, 2]);
  expect(await double(3)).toBe(6);
  expect(asked).toEqual([[1, 2, 1], [3]]);
});

test('a request during a running query waits for the next one', async () => {
  let truth = 'before';
  const arrivals: (() => void)[] = [];
  const read = batchLoader(async (keys: readonly string[]) => {
    const seen = truth;
    await new Promise<void>((resolve) => arrivals.push(resolve));
    return keys.map(() => seen);
  });
  const early = read('early');
  await turn();
  truth = 'after';
  const late = read('late');
  await turn();
  for (const arrive of arrivals) arrive();
  expect(await Promise.all([early, late])).toEqual(['before', 'after']);
});

test('a failure reaches all requests of its batch, and no later ones', async () => {
  let isDown = true;
  const read = batchLoader(async (keys: readonly number[]) => {
    if (isDown) throw new Error('down');
    return keys;
  });
  const outcomes = await Promise.allSettled([read(1), read(2)]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isDown = false;
  expect(await read(3)).toBe(3);
});
