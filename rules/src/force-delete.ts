import * as z from 'zod/mini';
import type { Refusal } from './result.ts';

/** What `POST /api/forceDeleteUser {userId, idToken}` takes. Source: spec §7 "Force delete". */
export const forceDeleteRequest = z.strictObject({
  userId: z.optional(z.string()),
  idToken: z.optional(z.string()),
});

/** What it answers: `error` is the text of the refusal, `data` the refusal as every other call gives it. */
export type ForceDeleteAnswer = { readonly ok: true } | { readonly error: string; readonly data: Refusal };
