/**
 * The step-up handle, which shows that this session recently confirmed its password. It is never the password: the
 * server stores only its hash, for ten minutes and for this session.
 */
const key = 'admin_temp_pass';

export const stepUpHandle = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

/** Stores a new handle; without one, removes the previous handle. */
export function keepStepUp(handle: string | undefined): void {
  if (handle === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, handle);
}
