import { toRefusal } from '@kc/rules/result';
import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';

type CheckDeps = {
  challenge(): Promise<CheckChallenge>;
  solve(challenge: CheckChallenge): Promise<CheckProof | undefined>;
};

/** A proof can expire, or be sent from another address than the challenge: then retry once. */
const proofs = 2;

/**
 * Makes a call that the server may refuse until it carries a proof of work, and computes the proof on demand. The user
 * sees one call that takes a little longer.
 *
 * @throws what the call throws; also the request for a proof, if it cannot be computed or is refused twice
 */
export async function withCheck<T>(call: (proof?: CheckProof) => Promise<T>, deps: CheckDeps): Promise<T> {
  let proof: CheckProof | undefined;
  for (let tried = 0; ; tried++) {
    try {
      return await call(proof);
    } catch (error) {
      if (toRefusal(error).code !== 'sign-up/check-needed' || tried === proofs) throw error;
      proof = await deps.solve(await deps.challenge());
      if (!proof) throw error;
    }
  }
}
