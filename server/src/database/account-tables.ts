import type { TokenScope } from '@kc/rules/access-token';
import type { ActivityKind, ActivityResult } from '@kc/rules/activity';
import type { DefaultDepth, RefreshInterval } from '@kc/rules/settings';
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { Defaulted, Optional, OptionalTime, Time } from './column-types.ts';

/** A user account: identity and permissions. */
export type AccountRow = {
  id: string;
  /** Lowercase and trimmed; unique among accounts that are not marked as migrated. */
  email: string;
  display_name: Defaulted<string>;
  /**
   * The picture's address according to the identity provider: any https address. Only the server uses it, to fetch the
   * picture for `/api/avatars/{uid}`; it is never sent to a browser.
   */
  photo_url: Optional<string>;
  role: Defaulted<'admin' | 'user'>;
  status: Defaulted<'pending' | 'approved' | 'denied'>;
  /** When the address was proven to be this person's; null if it was not. */
  email_proven_at: OptionalTime;
  /** ID of the administrator who created it, or `system`. */
  created_by: Defaulted<string>;
  /** The sample's own row: no real user, not counted by any rule about administrators. */
  is_sample: ColumnType<boolean, boolean | undefined, never>;
  /** Whether `ADMIN_EMAILS` contained it at the last start. */
  built_in: Defaulted<boolean>;
  created_at: Time;
  updated_at: Time;
  last_login: OptionalTime;
  /** Limits of this account; null: those of the settings. */
  max_visualizations: Optional<number>;
  max_storage_mb: Optional<number>;
  migrated_from: Optional<string>;
  migrated_to: Optional<string>;
  migrated_at: OptionalTime;
};

/** A password. An account has at most one. */
type CredentialRow = {
  account_id: string;
  /** argon2id in PHC format, including parameters and salt. */
  password_hash: string;
  /** Since when it cannot be used: its account was deleted, but deleting the credential failed. */
  locked_at: OptionalTime;
  created_at: Time;
  updated_at: Time;
};

/** An identity at an OpenID Connect issuer. An account may have several. */
type IdentityRow = {
  /** The issuer's identifier; the key together with `sub`. */
  iss: string;
  /** The person's ID at the issuer. Unlike an email, it is never reassigned. */
  sub: string;
  account_id: ColumnType<string, string, never>;
  /** The email that the issuer named last; null if it named none. For support; nothing is decided by it. */
  email: ColumnType<string | null, string | null, string | null>;
  created_at: Time;
  last_used_at: Time;
};

export type SessionRow = {
  id: string;
  /** SHA-256 of the cookie's token. The token itself is not stored. */
  token_hash: Buffer;
  /** Whether the next request gets a new token: the user's role has changed. */
  rotation_due: Defaulted<boolean>;
  /** The hash of the previous token, valid until `previous_until`; null if no rotation is recent. */
  previous_hash: Optional<Buffer>;
  previous_until: OptionalTime;
  account_id: string;
  remembered: boolean;
  created_at: Time;
  last_seen_at: Time;
  expires_at: Time;
};

/** What a program shows instead of a session: see `accounts/access-tokens.ts`. */
export type AccessTokenRow = {
  id: string;
  /** SHA-256 of the token, which itself is not stored. */
  token_hash: Buffer;
  account_id: string;
  name: string;
  scopes: TokenScope[];
  /** The only visualization that it opens; null for all of its owner. */
  visualization_id: Optional<string>;
  created_at: Time;
  expires_at: Time;
  revoked_at: OptionalTime;
  last_used_at: OptionalTime;
  /** The network addresses that have used it, as hashes, the latest last; of the oldest only so many as are kept. */
  addresses: Defaulted<string[]>;
};

/**
 * A single-purpose token of a user: a mailed link, a step-up handle, the ID token of a deletion, or a return from the
 * issuer.
 */
export type TokenRow = {
  token_hash: Buffer;
  purpose: 'claim' | 'reset' | 'verify' | 'step-up' | 'forceDelete' | 'issuer';
  account_id: string;
  /** The only session that can use it; null for a link. */
  session_id: ColumnType<string | null, string | null | undefined, never>;
  created_at: Time;
  expires_at: Time;
  used_at: OptionalTime;
};

/** Append-only: a trigger and the role's permissions prevent changes. */
type AuditRow = {
  id: Generated<number>;
  at: Time;
  /** Account ID, `system` or `anyone`. */
  actor: string;
  action: ActivityKind;
  /** The object of the action, usually an account ID. */
  target: string;
  result: ColumnType<ActivityResult, ActivityResult | undefined, never>;
  details: JSONColumnType<Record<string, unknown>>;
};

/** A request that its sender named with a key, and its answer once there is one. */
type IdempotentAnswerRow = {
  /** SHA-256 of account, call and key. */
  key_hash: Buffer;
  account_id: string;
  /** SHA-256 of the request; null until its body has arrived. */
  request_hash: Optional<Buffer>;
  /** Encrypted with the key, because it may hold a secret; null while the request is under way. */
  answer: Optional<Buffer>;
  begun_at: Time;
};

/** Uses of a limited action within the window that began at `window_start`. */
type RateLimitRow = { key: string; window_start: Time; uses: number };

/** An open event stream, updated while it is open. Shows who is online on any replica. */
type EventStreamRow = { id: string; account_id: string; seen_at: Time };

/** A used proof of work, by the signature of its challenge; kept until the challenge would have expired. */
type UsedProofRow = { signature: Buffer; expires_at: Time };

/** One row, inserted by the migration. */
export type SettingsRow = {
  version: number;
  default_depth: DefaultDepth;
  auto_expand: boolean;
  open_registration: boolean;
  auto_approve: boolean;
  dark_mode: boolean;
  data_refresh_interval: RefreshInterval;
  user_imports: boolean;
  max_user_visualizations: number;
  max_user_import_mb: number;
  client_links: boolean;
  theme_chosen: boolean;
  policy_enforced: boolean;
};

/** Which emails a person gets who has changed that. */
type MailSettingsRow = { account_id: string; imports: boolean; assignments: boolean };

/** The result of looking up a user's picture. One row per user who was looked up. */
type AvatarRow = {
  account_id: string;
  looked_up_at: Time;
  look_again_at: Time;
  /** The account's `photo_url` at that time. A different one is looked up immediately. */
  asked_photo_url: string | null;
  /** The downloaded bytes, their type and a strong validator; all null if there is none. */
  picture: Buffer | null;
  content_type: PictureType | null;
  etag: string | null;
};

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

export type AccountTables = {
  accounts: AccountRow;
  credentials: CredentialRow;
  identities: IdentityRow;
  sessions: SessionRow;
  tokens: TokenRow;
  access_tokens: AccessTokenRow;
  audit_log: AuditRow;
  rate_limits: RateLimitRow;
  idempotent_answers: IdempotentAnswerRow;
  event_streams: EventStreamRow;
  used_proofs: UsedProofRow;
  settings: SettingsRow;
  mail_settings: MailSettingsRow;
  avatars: AvatarRow;
};
