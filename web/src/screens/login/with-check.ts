import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { toRefusal } from '../../api/refusal.ts';

type Ways = {
  challenge(): Promise<CheckChallenge>;
  solve(challenge: CheckChallenge): Promise<CheckProof | undefined>;
};

/** A proof may come too late, or from another address than the challenge went to: then once more. */
const proofs = 2;

/**
 * Makes a call that may be refused until it brings a proof of work, and does the work when it is asked for. The person
 * sees one call that takes a little longer.
 *
 * @throws what the call throws; the wish for a proof, too, when the work cannot be done or is refused twice
 * Source: spec §7 "automatic retry when a bot check intervenes".
 */
export async function withCheck<T>(call: (proof?: CheckProof) => Promise<T>, ways: Ways): Promise<T> {
  let proof: CheckProof | undefined;
  for (let tried = 0; ; tried++) {
    try {
      return await call(proof);
    } catch (error) {
      if (toRefusal(error).code !== 'sign-up/check-needed' || tried === proofs) throw error;
      proof = await ways.solve(await ways.challenge());
      if (!proof) throw error;
    }
  }
}
