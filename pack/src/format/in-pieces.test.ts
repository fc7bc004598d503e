import { expect, test } from 'vitest';
import { eachPiece, eachRun, findInPieces } from './in-pieces.ts';

/** Processes everything and records the progress at every pause. */
async function walk(work: (pause: () => Promise<void>, pass: (numbers: number) => void) => Promise<void>) {
  let passed = 0;
  const pauses: number[] = [];
  const pause = async () => {
    pauses.push(passed);
  };
  await work(pause, (numbers) => {
    passed += numbers;
  });
  return { passed, longest: Math.max(0, ...pauses.map((at, index) => at - (pauses[index - 1] ?? 0))) };
}

test('numbers are split into pieces, each once and in order', async () => {
  let next = 0;
  const { longest } = await walk((pause, pass) =>
    eachPiece(1_000_000, pause, (from, end) => {
      expect(from).toBe(next);
      next = end;
      pass(end - from);
    }),
  );
  expect(next).toBe(1_000_000);
  expect(longest).toBeLessThan(300_000);
});

test('what is found is in order, whether it is much or little', async () => {
  for (const every of [1, 100_000]) {
    let pauses = 0;
    const found = await findInPieces(
      300_000,
      async () => {
        pauses++;
      },
      (from, end, into, many) => {
        let next = many;
        for (let number = from; number < end; number++) if (number % every === 0) into[next++] = number;
        return next;
      },
    );
    expect(found.length).toBe(300_000 / every);
    expect(found.every((number, at) => number === every * at)).toBe(true);
    expect(pauses).toBeGreaterThan(0);
  }
});

test('a run longer than a piece is split, and empty runs are included', async () => {
  const starts = Uint32Array.of(5, 5, 900_005, 900_006, 900_006, 900_010);
  const parts = new Map<number, number>();
  let next = 5;
  const { passed, longest } = await walk((pause, pass) =>
    eachRun(starts, pause, (run, endRun, from, end) => {
      expect(from).toBe(next);
      expect([from >= starts[run]!, end <= starts[endRun]!, endRun > run]).toEqual([true, true, true]);
      for (let at = run; at < endRun; at++) {
        const until = Math.min(end, starts[at + 1]!);
        parts.set(at, (parts.get(at) ?? 0) + until - next);
        next = until;
      }
      expect(next).toBe(end);
      pass(end - from);
    }),
  );
  expect([...parts]).toEqual([
    [0, 0],
    [1, 900_000],
    [2, 1],
    [3, 0],
    [4, 4],
  ]);
  expect(passed).toBe(900_005);
  expect(longest).toBeLessThan(300_000);
});

test('runs are split into pieces even if all of them are empty', async () => {
  let next = 0;
  const { longest } = await walk((pause, pass) =>
    eachRun(new Uint32Array(1_000_001), pause, (run, endRun) => {
      expect(run).toBe(next);
      next = endRun;
      pass(endRun - run);
    }),
  );
  expect(next).toBe(1_000_000);
  expect(longest).toBeLessThan(300_000);
});

test('an error thrown in a pause stops the work', async () => {
  const given = new Error('nobody asks any more');
  let end = 0;
  const work = eachPiece(
    1_000_000,
    () => Promise.reject(given),
    (_, until) => {
      end = until;
    },
  );
  await expect(work).rejects.toBe(given);
  expect(end).toBeLessThan(300_000);
});
