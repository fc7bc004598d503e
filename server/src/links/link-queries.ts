import type { Insertable, Selectable } from 'kysely';
import type { KnownRow } from '../accounts/responses.ts';
import { countOf, isId, type Queryable } from '../database/open.ts';
import type { Database, ShareLinkRow } from '../database/schema.ts';

/** A link with what decides whether it works: its visualization, its maker, and the setting. */
export type LinkFacts = Selectable<ShareLinkRow> & {
  readonly owner_id: string;
  readonly is_sample: boolean;
  readonly root_name: string;
  readonly owner_email: string;
  readonly client_links: boolean;
  readonly maker: KnownRow & { readonly migrated_to: string | null };
};

const factsFrom = (db: Queryable) =>
  db
    .selectFrom('share_links as l')
    .innerJoin('visualizations as v', 'v.id', 'l.visualization_id')
    .innerJoin('accounts as a', 'a.id', 'l.maker_id')
    .innerJoin('accounts as o', 'o.id', 'v.user_id')
    .innerJoin('settings as s', (join) => join.onTrue())
    .selectAll('l')
    .select([
      'v.user_id as owner_id',
      'v.is_sample',
      'v.root_name',
      'o.email as owner_email',
      's.client_links',
      'a.email as maker_email',
      'a.display_name as maker_name',
      'a.role as maker_role',
      'a.status as maker_status',
      'a.email_proven_at as maker_proven_at',
      'a.created_at as maker_created_at',
      'a.migrated_to as maker_migrated_to',
    ]);

type FactsRow = Awaited<ReturnType<ReturnType<typeof factsFrom>['executeTakeFirstOrThrow']>>;

function toFacts(row: FactsRow): LinkFacts {
  const maker = {
    id: row.maker_id,
    email: row.maker_email,
    display_name: row.maker_name,
    role: row.maker_role,
    status: row.maker_status,
    email_proven_at: row.maker_proven_at,
    created_at: row.maker_created_at,
    migrated_to: row.maker_migrated_to,
  };
  return { ...row, maker };
}

export async function findLink(db: Queryable, id: string): Promise<LinkFacts | undefined> {
  if (!isId(id)) return undefined;
  const row = await factsFrom(db).where('l.id', '=', id).executeTakeFirst();
  return row && toFacts(row);
}

/** @param hash of the token that is part of the address of a link */
export async function findLinkByToken(db: Queryable, hash: Buffer): Promise<LinkFacts | undefined> {
  const row = await factsFrom(db).where('l.token_hash', '=', hash).executeTakeFirst();
  return row && toFacts(row);
}

/**
 * The link that a browser has opened.
 *
 * @param hash of the token in its cookie
 * @param isLocked whether nobody may revoke it until the transaction ends
 */
export async function findOpenedLink(
  db: Queryable,
  id: string,
  hash: Buffer,
  isLocked = false,
): Promise<(LinkFacts & { readonly opened_until: Date }) | undefined> {
  const row = await factsFrom(db)
    .innerJoin('share_sessions as t', 't.link_id', 'l.id')
    .where('t.token_hash', '=', hash)
    .where('l.id', '=', id)
    .select('t.expires_at as opened_until')
    .$if(isLocked, (query) => query.forShare('l'))
    .executeTakeFirst();
  return row && { ...toFacts(row), opened_until: row.opened_until };
}

/** The links that have not ended, the newest first: of one visualization, or of all. */
export async function listLinks(db: Queryable, visualizationId: string | undefined, now: Date): Promise<LinkFacts[]> {
  const living = factsFrom(db).where('l.revoked_at', 'is', null).where('l.expires_at', '>', now);
  const wanted = visualizationId === undefined ? living : living.where('l.visualization_id', '=', visualizationId);
  const rows = await wanted.orderBy('l.created_at', 'desc').orderBy('l.id').execute();
  return rows.map(toFacts);
}

/** How many links a visualization has. Nobody else can add one until the transaction ends. @returns undefined if it was deleted */
export async function holdLinkCount(tx: Queryable, visualizationId: string, now: Date): Promise<number | undefined> {
  const locked = tx.selectFrom('visualizations').select('id').where('id', '=', visualizationId).forUpdate();
  if (!(await locked.executeTakeFirst())) return undefined;
  const links = tx
    .selectFrom('share_links')
    .where('visualization_id', '=', visualizationId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now);
  return countOf(links);
}

export async function insertLink(tx: Queryable, link: Insertable<ShareLinkRow>): Promise<void> {
  await tx.insertInto('share_links').values(link).execute();
}

/** Begins the session of a browser that has opened a link, and counts it. @param openedBy the account of a colleague */
export async function insertLinkSession(
  tx: Queryable,
  session: Insertable<Database['share_sessions']>,
  openedBy?: string,
): Promise<void> {
  await tx.insertInto('share_sessions').values(session).execute();
  await tx
    .updateTable('share_links')
    .set((e) => ({ opened: e('opened', '+', 1), opened_at: session.created_at, opened_by: openedBy ?? null }))
    .where('id', '=', session.link_id)
    .execute();
}
