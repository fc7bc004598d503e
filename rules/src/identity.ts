import type { BuiltInAdmins, Role, Status } from './account.ts';
import { done, type Result, refuse } from './result.ts';

/** The issuer whose word about `gmail.com` and about its customers' domains is final. */
export const googleIssuer = 'https://accounts.google.com';

/** What an identity provider says of somebody's email. */
export type ClaimedEmail = {
  /** Whose word it is: the issuer's identifier. */
  readonly issuer: string;
  /** In its stored form; `undefined` when there is none or it is no email. */
  readonly email: string | undefined;
  /** `email_verified` as it came; only `true` itself counts. */
  readonly emailVerified: unknown;
  /** Google's `hd`: the domain of the organisation that the account belongs to. */
  readonly hostedDomain: string | undefined;
};

/**
 * Whether the claim shows that the email is this person's: verified, by somebody who has authority over the address.
 * Google has it over Gmail and over the domains of its customers, which it names in `hd`; every other issuer, and Google
 * for every other address, only over `OIDC_TRUSTED_DOMAINS`.
 *
 * Source: decisions §2.2 and §2.3, security S3, T17; "Authenticate with a backend server", developers.google.com
 */
export function provesEmail(claim: ClaimedEmail, trustedDomains: readonly string[]): boolean {
  if (claim.email === undefined || claim.emailVerified !== true) return false;
  const domain = claim.email.slice(claim.email.lastIndexOf('@') + 1);
  if (trustedDomains.includes(domain)) return true;
  if (claim.issuer !== googleIssuer) return false;
  return domain === 'gmail.com' || domain === 'googlemail.com' || claim.hostedDomain?.toLowerCase() === domain;
}

/** An account, as far as it matters to somebody who comes from an identity provider. */
export type FoundAccount = {
  readonly email: string;
  readonly emailProven: boolean;
  readonly role: Role;
  readonly status: Status;
  /** Id of the admin who made it, or `system`. */
  readonly createdBy: string;
  readonly isSample: boolean;
  /** Whether it is marked migrated: an old record, nobody signs in to it. */
  readonly isMigrated: boolean;
};

export type Arrival = {
  /** `undefined` when there is none or it is no email. */
  readonly email: string | undefined;
  /** {@link provesEmail} of it. */
  readonly proven: boolean;
  /** The account that this very identity, issuer and subject, belongs to. */
  readonly known: FoundAccount | undefined;
  /** The account that has this email and is not marked migrated. */
  readonly holder: FoundAccount | undefined;
  /** What the registration policy says to newcomers: `admission` of `rules/settings`. */
  readonly admission: Result<Status>;
};

/** What is done for somebody who arrives. All of them end signed in; status and role are the account's. */
export type Reception =
  /** To the known account. `email`: it is proven now, and the account's from now on. */
  | { readonly do: 'sign-in'; readonly email?: string }
  /** To the holder, whose email is proven: the identity becomes another way in. */
  | { readonly do: 'link' }
  /** To a built-in admin's own account, which becomes proven, admin and approved; other ways into it end. */
  | { readonly do: 'claim' }
  /** To a new account that takes over what the holder, whose email was never proven, has; the holder's ways in end. */
  | { readonly do: 'migrate'; readonly role: Role; readonly status: Status }
  /** To an account of their own. */
  | { readonly do: 'create'; readonly role: Role; readonly status: Status; readonly proven: boolean };

/**
 * What to do for somebody who comes from an identity provider. An identity is issuer and subject and nothing else; an
 * email leads to an account only when it is proven on both sides, and to what an unproven account has only when it is
 * proven by the newcomer.
 *
 * A known person stays who they are whatever their email became. Their account takes a new email over when it is proven
 * and free, so that whoever is given the old address later does not find their account under it. A built-in admin keeps
 * theirs, because what the account may do hangs on it; so does who was denied, because the denial does: under an email
 * that became free, another identity of the same person would be a newcomer.
 *
 * Refusals: `sign-in/disabled`, the known account is an old record; `google/profile-failed`, a newcomer without an
 * email; `sign-up/in-use`, an email that is somebody's and was not proven; the policy's own.
 *
 * Source: decisions §2.2–§2.4 and §3, security S1–S3, T17–T21.
 */
export function receive(arrival: Arrival, builtInAdmins: BuiltInAdmins): Result<Reception> {
  return arrival.known ? receiveKnown(arrival, arrival.known, builtInAdmins) : receiveNew(arrival, builtInAdmins);
}

function receiveKnown(
  { email, proven, holder }: Arrival,
  known: FoundAccount,
  builtInAdmins: BuiltInAdmins,
): Result<Reception> {
  if (known.isMigrated) return refuse('sign-in/disabled');
  if (email === undefined || !proven) return done({ do: 'sign-in' });
  if (email === known.email) {
    if (known.emailProven) return done({ do: 'sign-in' });
    return done(builtInAdmins.has(email) ? { do: 'claim' } : { do: 'sign-in', email });
  }
  const isBound = builtInAdmins.has(known.email) || known.status === 'denied';
  const isFree = holder === undefined && !builtInAdmins.has(email);
  return done(isFree && !isBound ? { do: 'sign-in', email } : { do: 'sign-in' });
}

function receiveNew({ email, proven, holder, admission }: Arrival, builtInAdmins: BuiltInAdmins): Result<Reception> {
  if (email === undefined) return refuse('google/profile-failed');
  const isBuiltIn = builtInAdmins.has(email);
  if (!holder) {
    if (isBuiltIn) return proven ? done({ do: 'create', role: 'admin', status: 'approved', proven }) : inUse;
    return admission.ok ? done({ do: 'create', role: 'user', status: admission.value, proven }) : admission;
  }
  if (!proven || holder.isSample) return inUse;
  if (holder.emailProven) return done({ do: 'link' });
  if (isBuiltIn) return done({ do: 'claim' });
  return done({ do: 'migrate', ...standingAfterMigration(holder) });
}

const inUse = refuse('sign-up/in-use');

/**
 * An admin who made the account vouched for its email, so its role and status wait for whoever proves the email. One
 * that somebody made by themselves gives nothing but a denial.
 */
function standingAfterMigration({ role, status, createdBy }: FoundAccount): { role: Role; status: Status } {
  if (createdBy !== 'system') return { role, status };
  return { role: 'user', status: status === 'denied' ? 'denied' : 'pending' };
}
