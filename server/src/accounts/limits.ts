import type { Config } from '../config.ts';
import type { Db } from '../database/open.ts';
import { consume, type Limit } from '../http/rate-limits.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Attempts at one account from one address, or in a browser that is known; a success gives them back. */
export const signInLimit: Limit = { name: 'sign-in', uses: 10, windowMs: 15 * minute };
export const signInAddressLimit: Limit = { name: 'sign-in-address', uses: 300, windowMs: 15 * minute };
/** Attempts at one account, and at all of them, in browsers that are not known, from everywhere. Source: security T7. */
export const signInAccountLimit: Limit = { name: 'sign-in-account', uses: 100, windowMs: hour };
export const signInGlobalLimit: Limit = { name: 'sign-in-all', uses: 5_000, windowMs: 15 * minute };
export const signUpLimit: Limit = { name: 'sign-up', uses: 20, windowMs: minute };
export const signUpGlobalLimit: Limit = { name: 'sign-up-all', uses: 2_000, windowMs: 24 * hour };
/** Challenges for sign-ups: each costs the server one of the many tries it costs a browser. */
export const signUpCheckLimit: Limit = { name: 'sign-up-check', uses: 60, windowMs: 10 * minute };
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
/** New names of one person: each is a line of a log that is never shortened, and a reason to look for all admins. */
export const nameLimit: Limit = { name: 'name', uses: 30, windowMs: hour };
/** Deletions by one admin; more in so short a time is a mistake or somebody else at the keyboard. */
export const deletionLimit: Limit = { name: 'delete', uses: 120, windowMs: 15 * minute };

const unprovenSignUps: Limit = { name: 'sign-up-unproven', uses: 2, windowMs: 10 * minute };
const unprovenSignUpsTogether: Limit = { name: 'sign-up-unproven-all', uses: 30, windowMs: 10 * minute };

/**
 * Whether a sign-up has to bring a proof of work: from an address's third within ten minutes on, and while there are
 * many from everywhere. Counts this one. Source: decisions §2.11.
 */
export async function needsProof(db: Db, address: string, now: number): Promise<boolean> {
  return (
    (await consume(db, unprovenSignUps, address, now)) > 0 || (await consume(db, unprovenSignUpsTogether, '', now)) > 0
  );
}

const disclosureLimit: Limit = { name: 'disclosure', uses: 10, windowMs: hour };
const disclosureGlobalLimit: Limit = { name: 'disclosure-all', uses: 500, windowMs: 24 * hour };

/** Counted beside the real ones where nothing is told, so that the answer takes as long. */
const silenceLimit: Limit = { name: 'silence', uses: 0, windowMs: hour };
const silenceGlobalLimit: Limit = { name: 'silence-all', uses: 0, windowMs: hour };

/**
 * Whether this address may still be told that an email is, or is not, known here: ten times an hour, five hundred times
 * a day for everybody together, never with `ENUMERATION_PROTECTION=strict`. Two uses are counted whatever comes of it:
 * how long the answer takes does not tell what it keeps to itself.
 *
 * @param hidden nothing is to be told in any case; draws on no budget
 * Source: security S5, T8, decisions §2.10.
 */
export async function mayDisclose(
  db: Db,
  config: Config,
  address: string,
  now: number,
  hidden = false,
): Promise<boolean> {
  return !config.strictEnumeration && consumeDisclosure(db, address, now, hidden);
}

/**
 * As {@link mayDisclose}, of an email that somebody wants an account with: no answer to that keeps it to itself, so
 * `strict` has this budget, too.
 */
export const mayTellTaken = (db: Db, address: string, now: number): Promise<boolean> =>
  consumeDisclosure(db, address, now, false);

async function consumeDisclosure(db: Db, address: string, now: number, hidden: boolean): Promise<boolean> {
  const own = (await consume(db, hidden ? silenceLimit : disclosureLimit, address, now)) === 0;
  const together = (await consume(db, own ? disclosureGlobalLimit : silenceGlobalLimit, '', now)) === 0;
  return own && together;
}
