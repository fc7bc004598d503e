import type { BuiltInAdmins, Role, Status } from './account.ts';
import { done, type Result, refuse } from './result.ts';

/** The issuer that is authoritative for `gmail.com` and for its customers' domains. */
export const googleIssuer = 'https://accounts.google.com';

/** An identity provider's claim about a person's email. */
export type ClaimedEmail = {
  /** The issuer's identifier. */
  readonly issuer: string;
  /** In its stored form; `undefined` if there is none or it is invalid. */
  readonly email: string | undefined;
  /** `email_verified`, unchanged; only `true` itself counts. */
  readonly emailVerified: unknown;
  /** Google's `hd`: the domain of the organisation that the account belongs to. */
  readonly hostedDomain: string | undefined;
};

/**
 * Whether the claim proves that the email is this person's: verified by an issuer with authority over the address.
 * Google has it over Gmail and over its customers' domains, which it names in `hd`. Every other issuer, and Google for
 * every other address, has it only over `OIDC_TRUSTED_DOMAINS`.
 *
 * Source: SECURITY.md, S3, T17; "Authenticate with a backend server", developers.google.com
 */
export function provesEmail(claim: ClaimedEmail, trustedDomains: readonly string[]): boolean {
  if (claim.email === undefined || claim.emailVerified !== true) return false;
  const domain = claim.email.slice(claim.email.lastIndexOf('@') + 1);
  if (trustedDomains.includes(domain)) return true;
  if (claim.issuer !== googleIssuer) return false;
  return domain === 'gmail.com' || domain === 'googlemail.com' || claim.hostedDomain?.toLowerCase() === domain;
}

/** The properties of an account that matter for a sign-in with an identity provider. */
export type FoundAccount = {
  readonly email: string;
  readonly emailProven: boolean;
  readonly role: Role;
  readonly status: Status;
  /** ID of the administrator who created it, or `system`. */
  readonly createdBy: string;
  readonly isSample: boolean;
  /** Whether it is marked as migrated: an old record that nobody can sign in to. */
  readonly isMigrated: boolean;
};

export type Arrival = {
  /** `undefined` if there is none or it is invalid. */
  readonly email: string | undefined;
  /** The result of {@link provesEmail}. */
  readonly proven: boolean;
  /** The account with this very identity (issuer and subject). */
  readonly known: FoundAccount | undefined;
  /** The account that has this email and is not marked as migrated. */
  readonly holder: FoundAccount | undefined;
  /** What the registration policy decides for new users: `admission` of `rules/settings`. */
  readonly admission: Result<Status>;
};

/** What happens at a sign-in. Every outcome signs in; status and role are the account's. */
export type Reception =
  /** Use the known account. `email`: becomes the account's email, proven. */
  | { readonly do: 'sign-in'; readonly email?: string }
  /** Use the holder, whose email is proven: the identity becomes another way to sign in. */
  | { readonly do: 'link' }
  /**
   * Use a built-in administrator's own account, which becomes proven, administrator and approved; its other ways to
   * sign in end.
   */
  | { readonly do: 'claim' }
  /**
   * Create an account that takes over the contents of the holder, whose email was never proven; the holder's ways to
   * sign in end.
   */
  | { readonly do: 'migrate'; readonly role: Role; readonly status: Status }
  /** Create a separate account. */
  | { readonly do: 'create'; readonly role: Role; readonly status: Status; readonly proven: boolean };

/**
 * Decides what a sign-in with an identity provider does. An identity is issuer and subject and nothing else. An email
 * leads to an account only if it is proven on both sides, and to the contents of an unproven account only if the new
 * user has proven it.
 *
 * A known person keeps their account, whatever their email becomes. The account takes over a new email if it is proven
 * and free, so that the next owner of the old address does not find the account under it. A built-in administrator
 * keeps the old email, because the account's rights depend on it. So does a denied user, because the denial depends on
 * it: if the email became free, another identity of the same person would be a new user.
 *
 * Refusals: `sign-in/disabled` if the known account is an old record; `google/profile-failed` for a new user without an
 * email; `sign-up/in-use` for an unproven email that belongs to an account; those of the policy.
 *
 * Source: SECURITY.md, S1–S3, T17–T21.
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
 * An administrator who created the account vouched for its email, so its role and status apply to the person who proves
 * the email. Of a self-registered account, only a denial is taken over.
 */
function standingAfterMigration({ role, status, createdBy }: FoundAccount): { role: Role; status: Status } {
  if (createdBy !== 'system') return { role, status };
  return { role: 'user', status: status === 'denied' ? 'denied' : 'pending' };
}
