/**
 * The handle that says this browser's session gave its password a moment ago. Never the password: the server knows the
 * handle by its hash, for ten minutes, and only from this session.
 *
 * Source: spec §9 (the key), decisions §2.6.
 */
const key = 'admin_temp_pass';

export const stepUpHandle = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

/** Keeps a new handle; without one the earlier one goes. */
export function keepStepUp(handle: string | undefined): void {
  if (handle === undefined) sessionStorage.removeItem(key);
  else sessionStorage.setItem(key, handle);
}
