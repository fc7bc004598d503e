import { createHmac, randomInt } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { changesRow, type Db } from '../database/open.ts';

/**
 * Proof of work for sign-ups: users do not notice it, but it makes bulk sign-up expensive.
 *
 * Challenges and proofs travel through the browser and are not stored. Only the signatures of used ones are kept until
 * they would have expired.
 *
 * Source: SECURITY.md, T4; https://altcha.org (proof of work 2)
 */
export type BotCheck = {
  /** A challenge that only this network address can use, once, within five minutes. */
  challenge(address: string): Promise<CheckChallenge>;
  /** Whether a proof is valid. A valid proof is consumed: of several simultaneous uses, one succeeds. */
  accept(proof: CheckProof, address: string): Promise<boolean>;
};

/** How many tries the solution takes, and how many rounds of PBKDF2 each try has. */
export type Work = { readonly rounds: number; readonly minTries: number; readonly maxTries: number };

/** About a third of a second on a desktop processor. One try costs the server as much as the browser. */
const defaultWork: Work = { rounds: 5_000, minTries: 200, maxTries: 800 };

type Needs = {
  readonly db: Db;
  /** This server's own key: another server rejects what it signs. */
  readonly secret: string;
  readonly now: () => number;
  readonly work?: Work;
};

export function createBotCheck({ db, secret, now, work = defaultWork }: Needs): BotCheck {
  // The address is part of the key, which binds the challenge to it without storing it there.
  const keysFor = (address: string) => {
    const key = (use: string) => createHmac('sha256', secret).update(`sign-up check: ${use} ${address}`).digest('hex');
    return { hmacSignatureSecret: key('challenge'), hmacKeySignatureSecret: key('answer') };
  };
  return {
    async challenge(address) {
      const made = await createChallenge({
        algorithm: 'PBKDF2/SHA-256',
        cost: work.rounds,
        counter: randomInt(work.minTries, work.maxTries),
        deriveKey,
        // Not the library's `expiresAt`, which is compared with the library's own clock.
        data: { until: now() + limits.signUpCheckMs },
        ...keysFor(address),
      });
      return made as CheckChallenge;
    },
    async accept({ challenge, solution }, address) {
      const { until } = challenge.parameters.data;
      if (until <= now()) return false;
      const { verified } = await verifySolution({ challenge, solution, deriveKey, ...keysFor(address) });
      return verified && consumeProof(db, challenge.signature, until);
    },
  };
}

function consumeProof(db: Db, signature: string, until: number): Promise<boolean> {
  const used = { signature: Buffer.from(signature, 'hex'), expires_at: new Date(until) };
  return changesRow(
    db
      .insertInto('used_proofs')
      .values(used)
      .onConflict((conflict) => conflict.doNothing()),
  );
}
