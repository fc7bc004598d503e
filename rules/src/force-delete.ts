import * as z from 'zod/mini';
import type { Refusal } from './result.ts';
import { fieldText, secretText } from './storable-text.ts';

/**
 * The body of `POST /api/forceDeleteUser`. `idToken` is the one-time token that confirms this deletion; the call
 * `session.idToken` exchanges a step-up handle for it.
 *
 * Both are optional here, so that a missing one is refused with its own message instead of a schema error.
 */
export const forceDeleteRequest = z.strictObject({
  userId: z.optional(fieldText),
  idToken: z.optional(secretText),
});

/** The response: `error` is the text of the refusal, `data` the refusal in the form of every other call. */
export type ForceDeleteAnswer = { readonly ok: true } | { readonly error: string; readonly data: Refusal };
