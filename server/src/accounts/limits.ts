import type { Config } from '../config.ts';
import type { Db } from '../database/open.ts';
import { type Limit, spend } from '../http/rate-limits.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Attempts at one account from one address; a success gives them back. */
export const signInLimit: Limit = { name: 'sign-in', uses: 10, windowMs: 15 * minute };
export const signInAddressLimit: Limit = { name: 'sign-in-address', uses: 300, windowMs: 15 * minute };
export const signUpLimit: Limit = { name: 'sign-up', uses: 20, windowMs: minute };
export const signUpGlobalLimit: Limit = { name: 'sign-up-all', uses: 2_000, windowMs: 24 * hour };
export const claimLimit: Limit = { name: 'claim', uses: 100, windowMs: 15 * minute };

/** Looking at or using a mailed link. */
export const linkLimit: Limit = { name: 'link', uses: 100, windowMs: 15 * minute };
/** Mails to one address. Source: security SEC-15. */
export const mailLimits = {
  reset: { name: 'mail-reset', uses: 3, windowMs: hour },
  verify: { name: 'mail-verify', uses: 3, windowMs: hour },
} as const satisfies Record<string, Limit>;
/** Mails that one network address may cause, for whomever. */
export const mailAddressLimit: Limit = { name: 'mail-address', uses: 30, windowMs: hour };
/** Deletions by one admin; more in so short a time is a mistake or somebody else at the keyboard. */
export const deletionLimit: Limit = { name: 'delete', uses: 120, windowMs: 15 * minute };

const disclosureLimit: Limit = { name: 'disclosure', uses: 10, windowMs: hour };
const disclosureGlobalLimit: Limit = { name: 'disclosure-all', uses: 500, windowMs: 24 * hour };

/**
 * Whether this address may still be told that an email is, or is not, known here: ten times an hour, five hundred times
 * a day for everybody together, never with `ENUMERATION_PROTECTION=strict`.
 *
 * Source: security S5, decisions §2.10.
 */
export async function mayDisclose(db: Db, config: Config, address: string, now: number): Promise<boolean> {
  if (config.strictEnumeration) return false;
  if ((await spend(db, disclosureLimit, address, now)) > 0) return false;
  return (await spend(db, disclosureGlobalLimit, '', now)) === 0;
}
