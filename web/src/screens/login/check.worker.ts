import { limits } from '@kc/rules/limits';
import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2';

/** The worker's only message: the solution of a challenge, or undefined if it found none in time. */
export type CheckSolution = CheckProof['solution'] | undefined;

addEventListener('message', async ({ data: challenge }: MessageEvent<CheckChallenge>) => {
  postMessage(await solve(challenge).catch(() => undefined));
});

async function solve(challenge: CheckChallenge): Promise<CheckSolution> {
  const found = await solveChallenge({ challenge, deriveKey, timeout: limits.signUpCheckWorkMs });
  return found ? { counter: found.counter, derivedKey: found.derivedKey } : undefined;
}
