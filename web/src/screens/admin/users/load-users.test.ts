import type { ListedAccount } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { loadUsers } from './load-users.ts';

const someone = { id: 'u1' } as ListedAccount;

/** Runs a load whose calls answer one after the other; says what was waited for. */
async function load(...answers: readonly (ListedAccount[] | Error)[]) {
  const pauses: number[] = [];
  const left = [...answers];
  const list = async () => {
    const answer = left.shift();
    if (answer instanceof Error || !answer) throw answer;
    return answer;
  };
  const result = await loadUsers(list, async (ms) => void pauses.push(ms)).catch((error: Error) => error.message);
  return { result, pauses };
}

test('a list that comes at once is asked for once, after half a second', async () => {
  expect(await load([someone])).toEqual({ result: [someone], pauses: [500] });
});

test('an empty and a failed answer are tried again a second later', async () => {
  expect(await load([], new Error('down'), [someone])).toEqual({ result: [someone], pauses: [500, 1000, 1000] });
});

test('after two retries the last answer stands, whatever it is', async () => {
  expect(await load([], [], [])).toEqual({ result: [], pauses: [500, 1000, 1000] });
  const down = new Error('down');
  expect(await load(down, down, down)).toEqual({ result: 'down', pauses: [500, 1000, 1000] });
});
