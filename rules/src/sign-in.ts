import { type BuiltInAdmins, canonicalEmail, type Role } from './account.ts';
import { limits } from './limits.ts';
import { done, type Result, refuse } from './result.ts';
import { cutText } from './storable-text.ts';
import { isVisible } from './visible-text.ts';

/**
 * An email in its stored form, or `sign-in/invalid-email`.
 *
 * A valid email has one `@` with something before it, a domain with a dot after it, only ASCII, no blanks or control
 * characters, and at most {@link limits.maxEmailLength} characters.
 */
export function checkEmail(email: string): Result<string> {
  const canonical = canonicalEmail(email);
  // Checked before lowercasing, which turns the Kelvin sign into a plain k.
  const plain = /^[\x21-\x7e]*$/.test(email.trim());
  const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
  const valid =
    plain && canonical.length <= limits.maxEmailLength && shape.test(canonical) && !canonical.includes('..');
  return valid ? done(canonical) : refuse('sign-in/invalid-email');
}

export function checkSignIn(fields: { email: string; password: string }): Result<{ email: string; password: string }> {
  if (!fields.email.trim() || !fields.password) return refuse('sign-in/both-required');
  const email = checkEmail(fields.email);
  return email.ok ? done({ email: email.value, password: fields.password }) : email;
}

export type SignUp = { readonly email: string; readonly password: string; readonly displayName: string };

/** Validates a sign-up for storage. The server omits `confirmation`, which never leaves the form. */
export function checkSignUp(fields: SignUp & { readonly confirmation?: string }): Result<SignUp> {
  if (!fields.email.trim() || !fields.password) return refuse('sign-in/both-required');
  const email = checkEmail(fields.email);
  if (!email.ok) return email;
  const displayName = cleanName(fields.displayName);
  if (!displayName) return refuse('sign-up/name-required');
  if (fields.password.length < limits.minPasswordLength) return refuse('sign-up/password-short');
  if (fields.password.length > limits.maxPasswordLength) return refuse('sign-up/password-long');
  if (fields.confirmation !== undefined && fields.confirmation !== fields.password) return refuse('sign-up/mismatch');
  return done({ email: email.value, password: fields.password, displayName });
}

export type NewUser = { readonly email: string; readonly password: string; readonly role: Role };

/** Validates a user that an administrator creates. */
export function checkNewUser(fields: NewUser): Result<NewUser> {
  if (!fields.email.trim() || !fields.password) return refuse('create-user/both-required');
  const email = checkEmail(fields.email);
  if (!email.ok) return refuse('create-user/invalid-email');
  if (fields.password.length < limits.minPasswordLength) return refuse('sign-up/password-short');
  if (fields.password.length > limits.maxPasswordLength) return refuse('sign-up/password-long');
  return done({ email: email.value, password: fields.password, role: fields.role });
}

/** Validates the password of a built-in admin, from a claim link or `ADMIN_PASSWORD`. */
export function checkAdminPassword(password: string): Result<string> {
  if (password.length < limits.minAdminPasswordLength) return refuse('claim/password-short');
  if (password.length > limits.maxPasswordLength) return refuse('sign-up/password-long');
  return done(password);
}

/** The minimum password length for a reset link. Built-in admins keep the minimum of the claim link. */
export function minPasswordLength(account: { readonly email: string }, builtInAdmins: BuiltInAdmins): number {
  return builtInAdmins.has(account.email) ? limits.minAdminPasswordLength : limits.minPasswordLength;
}

/** Validates a new password from a reset link against a minimum length. */
export function checkNewPassword(password: string, minLength: number): Result<string> {
  if (minLength >= limits.minAdminPasswordLength) return checkAdminPassword(password);
  if (password.length < minLength) return refuse('sign-up/password-short');
  if (password.length > limits.maxPasswordLength) return refuse('sign-up/password-long');
  return done(password);
}

/** A new display name, cleaned. */
export function checkName(name: string): Result<string> {
  const displayName = cleanName(name);
  return displayName ? done(displayName) : refuse('sign-up/name-required');
}

/**
 * Removes control characters, line breaks and bidirectional controls from a display name, trims it and cuts it to its
 * limit. Empty if nothing visible is left.
 */
export function cleanName(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  const cleaned = cutText(plain, limits.maxDisplayNameLength);
  return isVisible(cleaned) ? cleaned : '';
}
