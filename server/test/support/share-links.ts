import { randomUUID } from 'node:crypto';
import type { LinkKind } from '@kc/rules/link';
import { hashToken, newToken } from '../../src/accounts/tokens.ts';
import { linkCookie } from '../../src/http/cookies.ts';
import { insertLink, insertLinkSession } from '../../src/links/link-queries.ts';
import { secretName } from './begun-things.ts';
import type { TestServer } from './server.ts';

type Given = {
  readonly visualizationId: string;
  readonly makerId: string;
  readonly kind?: LinkKind;
  readonly sharedWith?: string;
  readonly withPlan?: boolean;
  readonly mayEditPlan?: boolean;
  readonly withDownloads?: boolean;
  /** A list of names as JSON; undefined for a link from before columns could be chosen. */
  readonly columns?: string;
  /** In milliseconds from now; a day without it. */
  readonly lifeMs?: number;
};

export type GivenLink = {
  readonly id: string;
  /** What its address contains. */
  readonly token: string;
  /** What a browser sends that has opened it. */
  readonly cookie: string;
};

/** Stores a link, and a browser that has opened it. Client links are allowed from then on. */
export async function giveLink(
  { database: { db }, clock }: Pick<TestServer, 'database' | 'clock'>,
  given: Given,
): Promise<GivenLink> {
  const [id, token, opened, at] = [randomUUID(), newToken(), newToken(), new Date(clock)];
  await db.updateTable('settings').set({ client_links: true }).execute();
  await insertLink(db, {
    id,
    token_hash: hashToken(token),
    visualization_id: given.visualizationId,
    maker_id: given.makerId,
    kind: given.kind ?? 'client',
    shared_with: given.sharedWith ?? secretName,
    with_plan: given.withPlan ?? false,
    may_edit_plan: given.mayEditPlan ?? false,
    with_downloads: given.withDownloads ?? false,
    columns: given.columns ?? null,
    created_at: at,
    expires_at: new Date(clock + (given.lifeMs ?? 86_400_000)),
  });
  const session = { token_hash: hashToken(opened), link_id: id, created_at: at };
  await insertLinkSession(db, { ...session, expires_at: new Date(clock + 12 * 3_600_000) });
  return { id, token, cookie: linkCookie(false, id).write(opened).split(';')[0]! };
}

/** The same on the visualization of the access matrix, made by its owner. */
export async function giveLinkOfAny(
  server: TestServer,
  more: Pick<Given, 'withPlan' | 'withDownloads'> = {},
): Promise<GivenLink> {
  const record = await server.database.db.selectFrom('visualizations').selectAll().executeTakeFirstOrThrow();
  return giveLink(server, { visualizationId: record.id, makerId: record.user_id, ...more });
}
