import type { Passwords } from '../../src/accounts/passwords.ts';

/** Replaces argon2, which takes 50 ms, wherever hashing itself is not what is tested. */
export const cheapHash = (password: string): string => `cheap:${password}`;

export const cheapPasswords: Passwords = {
  hash: async (password) => cheapHash(password),
  verify: async (stored, password) => stored === cheapHash(password),
  isOutdated: () => false,
};
