import { limits } from '@kc/rules/limits';
import type { Refusal, Result } from '@kc/rules/result';
import { checkEmail, checkSignIn, checkSignUp } from '@kc/rules/sign-in';

export type Mode = 'sign-in' | 'sign-up';

export type SignInFields = {
  readonly displayName: string;
  readonly email: string;
  readonly password: string;
  readonly confirmation: string;
  readonly remember: boolean;
};

export type FieldName = 'displayName' | 'email' | 'password' | 'confirmation';

export const emptyFields: SignInFields = {
  displayName: '',
  email: '',
  password: '',
  confirmation: '',
  remember: false,
};

/** Validates the form. The server validates it again. */
export function checkFields(mode: Mode, fields: SignInFields): Result<unknown> {
  return mode === 'sign-in' ? checkSignIn(fields) : checkSignUp(fields);
}

const fieldOf: Readonly<Record<string, FieldName>> = {
  'sign-in/invalid-email': 'email',
  'sign-in/not-found': 'email',
  'sign-in/disabled': 'email',
  'sign-up/in-use': 'email',
  'sign-in/wrong-password': 'password',
  'sign-up/weak': 'password',
  'sign-up/password-short': 'password',
  'sign-up/password-long': 'password',
  'sign-up/mismatch': 'confirmation',
  'sign-up/name-required': 'displayName',
};

/** The field that a refusal is about, to focus it. `undefined` if changing a field does not help. */
export function wrongField(refusal: Refusal, fields: SignInFields): FieldName | undefined {
  if (refusal.code === 'sign-in/both-required') return fields.email.trim() ? 'password' : 'email';
  return fieldOf[refusal.code];
}

/** Whether the two passwords match; `undefined` while there is nothing to compare. */
export function passwordsMatch(fields: SignInFields): boolean | undefined {
  return fields.confirmation ? fields.confirmation === fields.password : undefined;
}

/** Which stars of the constellation are lit: the parent for a valid email, the children for valid passwords. */
export function litStars(mode: Mode, fields: SignInFields): { readonly parent: boolean; readonly children: boolean } {
  const children = mode === 'sign-in' ? fields.password !== '' : passwordsMatch(fields) === true && longEnough(fields);
  return { parent: checkEmail(fields.email).ok, children };
}

const longEnough = (fields: SignInFields): boolean => fields.password.length >= limits.minPasswordLength;
