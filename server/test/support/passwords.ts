import type { Passwords } from '../../src/accounts/passwords.ts';

/** Stands for argon2, which would take most of the time where thousands of sign-ins are about something else. */
export const cheapHash = (password: string): string => `cheap:${password}`;

export const cheapPasswords: Passwords = {
  hash: async (password) => cheapHash(password),
  verify: async (stored, password) => stored === cheapHash(password),
  isOutdated: () => false,
};
