/** Why a request was refused: a code of the catalogue and the parameters of its text. */
export type Refusal = {
  readonly code: string;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
};

/** A value, or the reason why there is none. Refusals are data; faults are thrown. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal };

export const done = <T>(value: T): Result<T> => ({ ok: true, value });

export function refuse(code: string, params?: Refusal['params']): { ok: false; refusal: Refusal } {
  return { ok: false, refusal: params ? { code, params } : { code } };
}

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
