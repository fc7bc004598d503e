import { hkdfSync } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod/mini';

const roundTrip = z.object({
  flow: z.enum(['popup', 'redirect']),
  /** Identifies the popup's report to the page that opened it. */
  pageNonce: z.string(),
  remember: z.boolean(),
  /** Milliseconds since 1970, by this server's clock. */
  begunAt: z.number(),
  /** The session whose user must prove their identity again; absent for a sign-in. */
  stepUpOf: z.optional(z.string()),
  /** What the issuer must return, sign or receive again. It ties the response to this browser. */
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
});
/** The state of a sign-in at the issuer. It travels in a sealed cookie, so that starting one stores nothing. */
export type RoundTrip = z.infer<typeof roundTrip>;

export type RoundTripSeal = {
  /** Valid for ten minutes. */
  seal(trip: RoundTrip): Promise<string>;
  /** `undefined` if this server did not seal it, or not within the last ten minutes. */
  open(sealed: string): Promise<RoundTrip | undefined>;
};

const algorithms = { alg: 'dir', enc: 'A256GCM' } as const;

/** @param secret this server's key; all replicas have the same one */
export function createRoundTripSeal(secret: string, now: () => number): RoundTripSeal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', 'google round trip', 32));
  return {
    seal: (trip) =>
      new EncryptJWT(trip)
        .setProtectedHeader(algorithms)
        .setExpirationTime(new Date(now() + limits.googleRoundTripMs))
        .encrypt(key),
    async open(sealed) {
      try {
        const { payload } = await jwtDecrypt(sealed, key, {
          currentDate: new Date(now()),
          keyManagementAlgorithms: [algorithms.alg],
          contentEncryptionAlgorithms: [algorithms.enc],
          requiredClaims: ['exp'],
        });
        return roundTrip.safeParse(payload).data;
      } catch {
        // Forged, changed or expired: treated as missing.
        return undefined;
      }
    },
  };
}
