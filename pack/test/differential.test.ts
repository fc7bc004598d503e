import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { randomCuts, randomFile, randomFrom } from './support/documents.ts';
import { everyLoop, isSame, misleadsTheOracle, oracle, problemIn, readCut } from './support/tokenizers.ts';

// A short version of `npm run prove -- differential`, which reads a million files.
const { PROVE_RUNS, PROVE_SEED } = process.env;
const runs = Number(PROVE_RUNS ?? 1200);
/** The test run always uses the same seed, so a failure is reproducible everywhere. */
const firstSeed = PROVE_SEED ? Number(PROVE_SEED) : PROVE_RUNS ? Date.now() & 0x7fff_ffff : 1;
const ms = PROVE_RUNS ? 7_200_000 : 120_000;

/** A file as text that can be pasted into a test, with its seed. */
const shown = (seed: number, bytes: Uint8Array): string =>
  `seed ${seed}: ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}`;

const loops = everyLoop(readFileSync(new URL('../dist/json-loop.wasm', import.meta.url)));

describe.each(loops)('T45 the tokenizer by $name', (tokenizer) => {
  // Shows P10.2.
  test(
    'gives the verdict and the value of JSON.parse over strict UTF-8, however files are split',
    () => {
      let accepted = 0;
      for (let seed = firstSeed, compared = 0; compared < runs; seed++) {
        const random = randomFrom(seed);
        const bytes = randomFile(random);
        if (misleadsTheOracle(bytes)) continue;
        compared++;
        const expected = oracle(bytes);
        const cuts = randomCuts(bytes.length, random);
        const read = readCut(tokenizer, bytes, cuts);
        const passed = problemIn(tokenizer, bytes, cuts);
        if (passed?.byte !== read.problem?.byte || passed?.what !== read.problem?.what) {
          expect.fail(`${passed?.what} where nothing is kept, ${read.problem?.what} else; ${shown(seed, bytes)}`);
        }
        if ((read.problem === undefined) !== (expected !== undefined)) {
          expect.fail(`${read.problem?.what ?? 'accepted'}; JSON.parse says otherwise; ${shown(seed, bytes)}`);
        }
        if (expected) {
          accepted++;
          if (!isSame(read.value, expected.value)) expect.fail(`another value; ${shown(seed, bytes)}`);
        } else {
          const whole = readCut(tokenizer, bytes);
          if (whole.problem?.byte !== read.problem?.byte || whole.problem?.what !== read.problem?.what) {
            expect.fail(`${whole.problem?.what} in one block, ${read.problem?.what} in several; ${shown(seed, bytes)}`);
          }
        }
        if (PROVE_RUNS && compared % 100_000 === 0) {
          process.stdout.write(`${tokenizer.name}: ${compared} files, ${accepted} accepted, seeds from ${firstSeed}\n`);
        }
      }
      // The test proves something only if neither verdict is rare.
      expect(accepted).toBeGreaterThan(runs / 5);
      expect(accepted).toBeLessThan((runs * 4) / 5);
    },
    ms,
  );
});

test('a value that differs anywhere is detected', () => {
  for (const [read, expected] of [
    [
      [1, [2]],
      [1, [3]],
    ],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: 1, b: 2 }, { a: 1 }],
    [{ toString: 1 }, { a: 1 }],
    [0, -0],
    [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
    [null, {}],
    [[], {}],
  ] as const) {
    expect(isSame(read, expected), JSON.stringify([read, expected])).toBe(false);
  }
  expect(isSame({ a: [1, Number.NaN, 'x', null] }, { a: [1, Number.POSITIVE_INFINITY, 'x', null] })).toBe(true);
});
