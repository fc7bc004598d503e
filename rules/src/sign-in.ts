import { type BuiltInAdmins, canonicalEmail, type Role } from './account.ts';
import { limits } from './limits.ts';
import { done, type Result, refuse } from './result.ts';

/**
 * An email in its stored form, or `sign-in/invalid-email`.
 *
 * One `@`, something before it, a domain with a dot after it, ASCII, no blanks or control characters, at most
 * {@link limits.maxEmailLength} characters. Source: spec §5, security T2.
 */
export function checkEmail(email: string): Result<string> {
  const canonical = canonicalEmail(email);
  // Asked before lowercasing, which makes a plain k of the Kelvin sign.
  const plain = /^[\x21-\x7e]*$/.test(email.trim());
  const shape = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)+$/;
  const valid =
    plain && canonical.length <= limits.maxEmailLength && shape.test(canonical) && !canonical.includes('..');
  return valid ? done(canonical) : refuse('sign-in/invalid-email');
}

/** Source: spec §5 "Login". */
export function checkSignIn(fields: { email: string; password: string }): Result<{ email: string; password: string }> {
  if (!fields.email.trim() || !fields.password) return refuse('sign-in/both-required');
  const email = checkEmail(fields.email);
  return email.ok ? done({ email: email.value, password: fields.password }) : email;
}

export type SignUp = { readonly email: string; readonly password: string; readonly displayName: string };

/**
 * A sign-up as it may be stored. The server calls it without `confirmation`, which never leaves the form.
 *
 * Source: spec §5 "Sign-up".
 */
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

/** A user as an admin creates them. Source: spec §5 "Admin create user". */
export function checkNewUser(fields: NewUser): Result<NewUser> {
  if (!fields.email.trim() || !fields.password) return refuse('create-user/both-required');
  const email = checkEmail(fields.email);
  if (!email.ok) return refuse('create-user/invalid-email');
  if (fields.password.length < limits.minPasswordLength) return refuse('sign-up/password-short');
  if (fields.password.length > limits.maxPasswordLength) return refuse('sign-up/password-long');
  return done({ email: email.value, password: fields.password, role: fields.role });
}

/** The password of a built-in admin, by claim link or `ADMIN_PASSWORD`. Source: decisions §1, security S9. */
export function checkAdminPassword(password: string): Result<string> {
  if (password.length < limits.minAdminPasswordLength) return refuse('claim/password-short');
  if (password.length > limits.maxPasswordLength) return refuse('sign-up/password-long');
  return done(password);
}

/**
 * The shortest password somebody may choose by a reset link: a built-in admin keeps to the claim link's length.
 *
 * Source: decisions §1 and §2.9, security S9.
 */
export function minPasswordLength(account: { readonly email: string }, builtInAdmins: BuiltInAdmins): number {
  return builtInAdmins.has(account.email) ? limits.minAdminPasswordLength : limits.minPasswordLength;
}

/** A password of at least so many characters, as a reset link sets it. */
export function checkNewPassword(password: string, minLength: number): Result<string> {
  if (minLength >= limits.minAdminPasswordLength) return checkAdminPassword(password);
  if (password.length < minLength) return refuse('sign-up/password-short');
  if (password.length > limits.maxPasswordLength) return refuse('sign-up/password-long');
  return done(password);
}

/** A new display name, cleaned. Source: decisions §2.13. */
export function checkName(name: string): Result<string> {
  const displayName = cleanName(name);
  return displayName ? done(displayName) : refuse('sign-up/name-required');
}

/**
 * A display name without control characters, line breaks and what turns the direction of the text around it, trimmed and
 * cut to its limit; empty when nothing of it can be seen. Source: security T5.
 */
export function cleanName(name: string): string {
  const cleaned = name
    .replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .trim()
    .slice(0, limits.maxDisplayNameLength);
  return isVisible(cleaned) ? cleaned : '';
}

/**
 * Whether a text shows anything: zero-width characters, fillers, blanks and marks without a letter to stand on do not.
 * Between letters some of them are needed (U+200C in Persian, U+200D in emoji), so they are not taken out.
 *
 * Source: Unicode `Default_Ignorable_Code_Point`; U+2800 is a Braille cell without a dot.
 */
function isVisible(text: string): boolean {
  return /[^\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
