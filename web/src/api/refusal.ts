import type { Refusal } from '@kc/rules/result';

/**
 * The refusal to show for a failed call.
 *
 * The server returns a refusal as `{ code, params }` in the body's `data`. No response is `fault/offline`; a foreign
 * response (a proxy's page, for example) is `fault/unavailable`.
 */
export function toRefusal(error: unknown): Refusal {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : undefined;
  if (isRefusal(data)) return data;
  // `fetch` rejects with a TypeError if it cannot connect.
  if (error instanceof TypeError) return { code: 'fault/offline' };
  return { code: 'fault/unavailable' };
}

/** An error for a client-side refusal, in the form that failed calls throw. */
export const refusedWith = (refusal: Refusal): Error => Object.assign(new Error(refusal.code), { data: refusal });

export function isRefusal(value: unknown): value is Refusal {
  return typeof value === 'object' && value !== null && 'code' in value && typeof value.code === 'string';
}

const sessionCodes: ReadonlySet<string> = new Set(['session/required', 'session/not-approved', 'admin/only']);

/** Whether a refusal means that the session or its rights differ from what the page assumes. */
export function concernsSession(refusal: Refusal): boolean {
  return sessionCodes.has(refusal.code);
}

/** The refusal in an error body: bare, or under `data` as in the contract. */
export async function refusalIn(answer: Response): Promise<Refusal | undefined> {
  if (!answer.headers.get('content-type')?.includes('json')) return undefined;
  return refusalInBody(await answer.json());
}

/** The refusal in an error body that was parsed. */
export function refusalInBody(body: unknown): Refusal | undefined {
  const told = typeof body === 'object' && body !== null && 'data' in body ? body.data : body;
  return isRefusal(told) ? told : undefined;
}
