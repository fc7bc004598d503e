import { hkdfSync } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { EncryptJWT, jwtDecrypt } from 'jose';
import * as z from 'zod/mini';

const roundTrip = z.object({
  flow: z.enum(['popup', 'redirect']),
  /** By which the page that began knows its window's report. */
  pageNonce: z.string(),
  remember: z.boolean(),
  /** Milliseconds since 1970, by this server's clock. */
  begunAt: z.number(),
  /** The session whose person is to show again that it is them; absent: somebody signs in. */
  stepUpOf: z.optional(z.string()),
  /** What the issuer has to send back, to say in the token, and to be told again: they tie its answer to this browser. */
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
});
/** Somebody on the way to the issuer and back. It travels in a cookie, sealed, so that the start writes nothing down. */
export type RoundTrip = z.infer<typeof roundTrip>;

export type RoundTripSeal = {
  /** Good for ten minutes. */
  seal(trip: RoundTrip): Promise<string>;
  /** `undefined` for what this server did not seal, or not within the ten minutes. */
  open(sealed: string): Promise<RoundTrip | undefined>;
};

const algorithms = { alg: 'dir', enc: 'A256GCM' } as const;

/** @param secret the server's own; every replica has the same */
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
        // Made by somebody else, changed, or too old: as if there were none.
        return undefined;
      }
    },
  };
}
