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
