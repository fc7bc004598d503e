import type { ActivityKind, ActivityResult } from '@kc/rules/activity';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';

type Time = ColumnType<Date, Date, Date>;
type OptionalTime = ColumnType<Date | null, Date | null | undefined, Date | null>;

/** A person: who they are and what they may do. Spec §3 "User profile". */
export type AccountRow = {
  id: string;
  /** Lowercase and trimmed; unique among the accounts that are not marked migrated. */
  email: string;
  display_name: ColumnType<string, string | undefined, string>;
  /**
   * Where the picture lies that the identity provider told of last: any https address. For the server alone, which may
   * fetch it for `/api/avatars/{uid}`; it is never sent to a browser.
   */
  photo_url: ColumnType<string | null, string | null | undefined, string | null>;
  role: ColumnType<'admin' | 'user', 'admin' | 'user' | undefined, 'admin' | 'user'>;
  status: ColumnType<
    'pending' | 'approved' | 'denied',
    'pending' | 'approved' | 'denied' | undefined,
    'pending' | 'approved' | 'denied'
  >;
  /** When the address was shown to be this person's; null while it was not. */
  email_proven_at: OptionalTime;
  /** Id of the admin who made it, or `system`. */
  created_by: ColumnType<string, string | undefined, string>;
  /** The sample's own row: nobody, counted in no admin rule. */
  is_sample: ColumnType<boolean, boolean | undefined, never>;
  /** Whether `ADMIN_EMAILS` named it at the last start. */
  built_in: ColumnType<boolean, boolean | undefined, boolean>;
  created_at: Time;
  updated_at: Time;
  last_login: OptionalTime;
  migrated_from: ColumnType<string | null, string | null | undefined, string | null>;
  migrated_to: ColumnType<string | null, string | null | undefined, string | null>;
  migrated_at: OptionalTime;
};

/** A password. One account has at most one. */
export type CredentialRow = {
  account_id: string;
  /** argon2id in PHC form, its parameters and salt within. */
  password_hash: string;
  /** Since when nobody signs in with it: its account is gone, and its own removal failed. */
  locked_at: OptionalTime;
  created_at: Time;
  updated_at: Time;
};

/** Somebody at an OpenID Connect issuer. An account may have several. */
export type IdentityRow = {
  /** The issuer's identifier; with `sub` the key. */
  iss: string;
  /** Who it is there: never given to anybody else, unlike an email. */
  sub: string;
  account_id: ColumnType<string, string, never>;
  /** As the issuer told it last; null when it told none. For people who look into a case; nothing is decided by it. */
  email: ColumnType<string | null, string | null, string | null>;
  created_at: Time;
  last_used_at: Time;
};

export type SessionRow = {
  id: string;
  /** SHA-256 of the token in the cookie; the token itself is kept nowhere. */
  token_hash: Buffer;
  /** Whether the next request gets a new token: the person's role has changed. */
  rotation_due: ColumnType<boolean, boolean | undefined, boolean>;
  /** The hash of the token before, good until `previous_until`; null when there was no rotation with a grace. */
  previous_hash: ColumnType<Buffer | null, Buffer | null | undefined, Buffer | null>;
  previous_until: OptionalTime;
  account_id: string;
  remembered: boolean;
  created_at: Time;
  last_seen_at: Time;
  expires_at: Time;
};

/** What was given to a person for one purpose: a link, a step-up handle, the id token of a deletion, a way back from the issuer. */
export type TokenRow = {
  token_hash: Buffer;
  purpose: 'claim' | 'reset' | 'verify' | 'step-up' | 'forceDelete' | 'issuer';
  account_id: string;
  /** The only session it is good for; null for a link. */
  session_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Time;
  expires_at: Time;
  used_at: OptionalTime;
};

/** Append-only: a trigger and the role's rights refuse changes. */
export type AuditRow = {
  id: Generated<number>;
  at: Time;
  /** Account id, `system` or `anyone`. */
  actor: string;
  action: ActivityKind;
  /** What it was done to: an account id, mostly. */
  target: string;
  result: ColumnType<ActivityResult, ActivityResult | undefined, never>;
  details: JSONColumnType<Record<string, unknown>>;
};

/** Uses of a limited thing within the window that began at `window_start`. */
export type RateLimitRow = { key: string; window_start: Time; uses: number };

/** An open stream of events, seen again and again while it lasts; shows who is online on any replica. */
export type EventStreamRow = { id: string; account_id: string; seen_at: Time };

/** A proof of work that was used, by the signature of its challenge; kept while it would still be good. */
export type UsedProofRow = { signature: Buffer; expires_at: Time };

export type AccountTables = {
  accounts: AccountRow;
  credentials: CredentialRow;
  identities: IdentityRow;
  sessions: SessionRow;
  tokens: TokenRow;
  audit_log: AuditRow;
  rate_limits: RateLimitRow;
  event_streams: EventStreamRow;
  used_proofs: UsedProofRow;
};
