import type { LinkKind } from '@kc/rules/link';
import type { ColumnType, Generated } from 'kysely';

type Time = ColumnType<Date, Date, Date>;

/** A link to one visualization. It ends with the visualization and with the account that made it. */
export type ShareLinkRow = {
  id: string;
  /** SHA-256 of the token, which is stored nowhere. */
  token_hash: Buffer;
  visualization_id: string;
  maker_id: string;
  kind: LinkKind;
  /** The canonical email of a colleague, or the name of a client. */
  shared_with: string;
  with_plan: boolean;
  /** Whether a colleague may edit the plan. */
  may_edit_plan: ColumnType<boolean, boolean | undefined, boolean>;
  with_downloads: boolean;
  /** The file's own columns that a client sees, by name; null: those that do not look personal. */
  columns: ColumnType<string[] | null, string | null | undefined, string | null>;
  created_at: Time;
  expires_at: Time;
  revoked_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  opened_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  /** How often its token was exchanged. */
  opened: Generated<number>;
  /** The colleague who opened it last. */
  opened_by: ColumnType<string | null, string | null | undefined, string | null>;
};

/** A browser that has opened a link: its cookie, which is good for that link alone. */
export type ShareSessionRow = {
  token_hash: Buffer;
  link_id: string;
  created_at: Time;
  expires_at: Time;
};

export type LinkTables = { share_links: ShareLinkRow; share_sessions: ShareSessionRow };
