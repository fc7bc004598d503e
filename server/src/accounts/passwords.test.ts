import { expect, test } from 'vitest';
import { createPasswords, HashingBusy } from './passwords.ts';

const running = { now: 0, most: 0, ends: [] as (() => void)[] };
/** A piece of work that ends when the test says so. */
const work = async <T>(result: T): Promise<T> => {
  running.now++;
  running.most = Math.max(running.most, running.now);
  await new Promise<void>((end) => running.ends.push(end));
  running.now--;
  return result;
};
const argon2 = { hash: () => work('a hash'), verify: () => work(true) };

/** Ends the running work, and everything that starts after it. */
async function endAll(): Promise<void> {
  while (running.ends.length > 0) {
    running.ends.shift()?.();
    await new Promise((next) => setImmediate(next));
  }
}

test('REL-31 two passwords are hashed at a time, twenty wait, more are refused at once', async () => {
  const made = createPasswords(argon2);
  await endAll();
  const passwords = await made;
  running.most = 0;

  const asked = Array.from({ length: 30 }, () => passwords.hash('tulip-Harbor-9'));
  const refused = await Promise.allSettled(asked.slice(22));
  expect(refused.map((one) => one.status === 'rejected' && one.reason instanceof HashingBusy)).toEqual(
    Array(8).fill(true),
  );
  expect(running.ends).toHaveLength(2);
  await endAll();
  expect(await Promise.all(asked.slice(0, 22))).toEqual(Array(22).fill('a hash'));
  expect(running.most).toBe(2);

  const later = passwords.hash('tulip-Harbor-9');
  await endAll();
  expect(await later).toBe('a hash');
});

test('REL-31 a known device is next in the queue, however many wait, and is not refused because of them', async () => {
  const made = createPasswords(argon2);
  await endAll();
  const passwords = await made;
  const ended: string[] = [];
  const verify = (name: string, first: boolean) =>
    passwords.verify('a hash', 'tulip-Harbor-9', first).then(() => ended.push(name));
  const strangers = Array.from({ length: 22 }, () => verify('stranger', false));
  await expect(passwords.verify('a hash', 'tulip-Harbor-9')).rejects.toThrow(HashingBusy);
  const known = verify('known', true);
  await endAll();
  await Promise.all([...strangers, known]);
  // After the two that were already running.
  expect(ended.indexOf('known')).toBe(2);
});
