import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { expect, test } from 'vitest';
import { refusedWith, toRefusal } from '../../api/refusal.ts';
import { withCheck } from './with-check.ts';

const needed = { code: 'sign-up/check-needed' };

/** A server that takes the nth proof it is shown, and a browser that solves or does not. */
function stage({ takes = 1, solves = true, refusal = needed } = {}) {
  const seen: (CheckProof | undefined)[] = [];
  let challenges = 0;
  const call = async (proof?: CheckProof): Promise<string> => {
    seen.push(proof);
    if (seen.length > takes) return 'made';
    throw refusedWith(refusal);
  };
  const ways = {
    challenge: async () => ({ signature: `challenge ${++challenges}` }) as CheckChallenge,
    solve: async (challenge: CheckChallenge) =>
      solves ? { challenge, solution: { counter: 1, derivedKey: '00' } } : undefined,
  };
  const shown = () => seen.map((proof) => proof?.challenge.signature);
  return { made: () => withCheck(call, ways), shown };
}

const refusalOf = (work: Promise<unknown>) => work.then(() => undefined, toRefusal);

test('a call that needs no proof is made once', async () => {
  const { made, shown } = stage({ takes: 0 });
  expect(await made()).toBe('made');
  expect(shown()).toEqual([undefined]);
});

test('a proof that is asked for is brought by itself', async () => {
  const { made, shown } = stage();
  expect(await made()).toBe('made');
  expect(shown()).toEqual([undefined, 'challenge 1']);
});

test('a proof that is refused is made anew, once', async () => {
  const second = stage({ takes: 2 });
  expect(await second.made()).toBe('made');
  expect(second.shown()).toEqual([undefined, 'challenge 1', 'challenge 2']);

  const never = stage({ takes: 9 });
  expect(await refusalOf(never.made())).toEqual(needed);
  expect(never.shown()).toHaveLength(3);
});

test('a browser that cannot do the work is told so', async () => {
  expect(await refusalOf(stage({ solves: false }).made())).toEqual(needed);
});

test('another refusal is shown as it is', async () => {
  const { made, shown } = stage({ refusal: { code: 'sign-up/in-use' } });
  expect(await refusalOf(made())).toEqual({ code: 'sign-up/in-use' });
  expect(shown()).toHaveLength(1);
});
