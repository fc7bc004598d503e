import { refusedWith, toRefusal } from '@kc/rules/result';
import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { withCheck } from './with-check.ts';

const needed = { code: 'sign-up/check-needed' };

/** A server that accepts the nth proof, and a browser that can or cannot solve it. */
function stage({ takes = 1, solves = true, refusal = needed } = {}) {
  const proofs: (CheckProof | undefined)[] = [];
  let challenges = 0;
  const call = async (proof?: CheckProof): Promise<string> => {
    proofs.push(proof);
    if (proofs.length > takes) return 'made';
    throw refusedWith(refusal);
  };
  const deps = {
    challenge: async () => ({ signature: `challenge ${++challenges}` }) as CheckChallenge,
    solve: async (challenge: CheckChallenge) =>
      solves ? { challenge, solution: { counter: 1, derivedKey: '00' } } : undefined,
  };
  const shown = () => proofs.map((proof) => proof?.challenge.signature);
  return { call: () => withCheck(call, deps), shown };
}

const refusalOf = (work: Promise<unknown>) => work.then(() => undefined, toRefusal);

test('a call that needs no proof is made once', async () => {
  const { call, shown } = stage({ takes: 0 });
  expect(await call()).toBe('made');
  expect(shown()).toEqual([undefined]);
});

// Shows P3.12.
test('a requested proof is sent automatically', async () => {
  const { call, shown } = stage();
  expect(await call()).toBe('made');
  expect(shown()).toEqual([undefined, 'challenge 1']);
});

test('a refused proof is computed again, once', async () => {
  const second = stage({ takes: 2 });
  expect(await second.call()).toBe('made');
  expect(second.shown()).toEqual([undefined, 'challenge 1', 'challenge 2']);

  const never = stage({ takes: 9 });
  expect(await refusalOf(never.call())).toEqual(needed);
  expect(never.shown()).toHaveLength(3);
});

test('a browser that cannot compute the proof gets a message', async () => {
  expect(await refusalOf(stage({ solves: false }).call())).toEqual(needed);
});

test('any other refusal is shown unchanged', async () => {
  const { call, shown } = stage({ refusal: { code: 'sign-up/in-use' } });
  expect(await refusalOf(call())).toEqual({ code: 'sign-up/in-use' });
  expect(shown()).toHaveLength(1);
});
