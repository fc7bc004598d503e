import type { Refusal } from '@kc/rules/result';

/**
 * What a failed call says to a person.
 *
 * The server answers a refusal as `{ code, params }` in the body's `data`. No answer at all is `fault/offline`; an
 * answer that is none of ours (a proxy's page, say) is `fault/unavailable`.
 */
export function toRefusal(error: unknown): Refusal {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  if (isRefusal(data)) return data;
  // `fetch` rejects with a TypeError when no connection could be made.
  if (error instanceof TypeError) return { code: 'fault/offline' };
  return { code: 'fault/unavailable' };
}

/** A refusal of the page's own check, thrown as a failed call throws the server's. */
export const refusedWith = (refusal: Refusal): Error => Object.assign(new Error(refusal.code), { data: refusal });

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';
}

const sessionCodes: ReadonlySet<string> = new Set(['session/required', 'session/not-approved', 'admin/only']);

/** Whether a refusal means that who we are, or what we may do, is not what the page believes. */
export function concernsSession(refusal: Refusal): boolean {
  return sessionCodes.has(refusal.code);
}
