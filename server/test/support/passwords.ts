import type { Passwords } from '../../src/accounts/passwords.ts';

/** Replaces argon2, which would take most of the time in tests with thousands of sign-ins that test something else. */
export const cheapHash = (password: string): string => `cheap:${password}`;

export const cheapPasswords: Passwords = {
  hash: async (password) => cheapHash(password),
  verify: async (stored, password) => stored === cheapHash(password),
  isOutdated: () => false,
};
