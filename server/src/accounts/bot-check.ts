import { createHmac, randomInt } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { createChallenge, verifySolution } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import type { Db } from '../database/open.ts';

/**
 * Asks a browser for a piece of work that a person does not notice and that makes accounts by the thousand dear.
 *
 * Challenges and proofs travel through the browser and are kept nowhere; of those that were used the signature is kept
 * until they would have ended anyway. Source: decisions §2.11, security T4; https://altcha.org (proof of work 2)
 */
export type BotCheck = {
  /** A challenge that only this network address can use, once, within five minutes. */
  challenge(address: string): Promise<CheckChallenge>;
  /** Whether a proof is good. One that is, is used up: of any number of uses at once, one succeeds. */
  accept(proof: CheckProof, address: string): Promise<boolean>;
};

/** The answer lies this many tries away, each of so many rounds of PBKDF2. */
export type Work = { readonly rounds: number; readonly minTries: number; readonly maxTries: number };

/** About a third of a second of a desktop's processor. One try costs the server as much as it costs a browser. */
const usualWork: Work = { rounds: 5_000, minTries: 200, maxTries: 800 };

type Needs = {
  readonly db: Db;
  /** The server's own; what is signed with it is worth nothing to a server with another. */
  readonly secret: string;
  readonly now: () => number;
  readonly work?: Work;
};

export function createBotCheck({ db, secret, now, work = usualWork }: Needs): BotCheck {
  // The address is part of the key: it need not stand in the challenge for it to be bound to it.
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
        // Not the library's `expiresAt`, which is held against a clock of its own.
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

async function consumeProof(db: Db, signature: string, until: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('used_proofs')
    .values({ signature: Buffer.from(signature, 'hex'), expires_at: new Date(until) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** Used proofs that would be too old by now. */
export async function forgetUsedProofs(db: Db, now: number): Promise<void> {
  await db.deleteFrom('used_proofs').where('expires_at', '<', new Date(now)).execute();
}
