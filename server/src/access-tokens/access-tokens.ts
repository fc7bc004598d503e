import { randomUUID } from 'node:crypto';
import { can } from '@kc/rules/access';
import { accessTokenOf, checkExpiry, isAccessToken } from '@kc/rules/access-token';
import type { ListedToken } from '@kc/rules/access-token-api';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { cleanViewName } from '@kc/rules/saved-view';
import type { Selectable } from 'kysely';
import { api, type Person, personOf } from '../accounts/require.ts';
import { type KnownRow, toAccount } from '../accounts/responses.ts';
import { hashToken, livingTokensOf, newToken } from '../accounts/tokens.ts';
import type { AccessTokenRow } from '../database/account-tables.ts';
import { audit } from '../database/audit.ts';
import { countOf, type Db, inTransaction, prepared, type Queryable } from '../database/open.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { published } from '../visualizations/access.ts';

/** Each token adds lines to a log that is never shortened. */
const makeLimit: Limit = { name: 'token', uses: 60, windowMs: 3_600_000 };
const callLimit: Limit = { name: 'token-calls', uses: limits.tokenCallsPerMinute, windowMs: 60_000 };
/** How often a token's last use is written to the database, unless it comes from a new address. */
const usedEveryMs = 60_000;
/** Addresses that are remembered of a token. */
const maxAddresses = 100;

type TokenDeps = Pick<ServerParts, 'db' | 'builtInAdmins' | 'now'>;

/**
 * The owner of a token, with the current role and status, or why it does not count. Counts the call, and keeps in the log
 * from which addresses the token is used.
 *
 * @param bearer what the request shows as its token
 * @param address of the requester: see {@link RequestContext}
 */
export async function admitToken(db: Db, bearer: string, address: string, now: number): Promise<Result<Person>> {
  const found = isAccessToken(bearer) ? await db.executeQuery(byToken(hashToken(bearer), new Date(now))) : undefined;
  const row = found?.rows[0];
  if (!row) return refuse('token/invalid');
  const wait = await consume(db, callLimit, row.token_id, now);
  if (wait > 0) return refuse('token/too-many', { seconds: wait });
  const isKnown = row.addresses.includes(address);
  const unusedMs = now - (row.last_used_at?.getTime() ?? 0);
  if (!isKnown || Math.abs(unusedMs) > usedEveryMs) await markUsed(db, row, address, now);
  return done(toPerson(row));
}

/** As {@link admitToken}, for a request that has been admitted: the same owner now, undefined if the token has ended. */
export async function readTokenAgain(db: Queryable, id: string, now: number): Promise<Person | undefined> {
  const { rows } = await db.executeQuery(byId(id, new Date(now)));
  return rows[0] && toPerson(rows[0]);
}

type LivingRow = KnownRow &
  Pick<Selectable<AccessTokenRow>, 'scopes' | 'visualization_id' | 'last_used_at' | 'addresses'> & {
    readonly token_id: string;
    readonly has_photo: boolean;
  };

/** `$1` is the requested token, `$2` the current time. */
const livingTokens = (which: string): string => `
  select a.id, a.email, a.display_name, a.role, a.status, a.email_proven_at, a.created_at,
    t.id as token_id, t.scopes, t.visualization_id, t.last_used_at, t.addresses, p.etag is not null as has_photo
  from access_tokens t join accounts a on a.id = t.account_id left join avatars p on p.account_id = a.id
  where ${which} and t.revoked_at is null and t.expires_at > $2 and a.migrated_to is null`;

const byToken = prepared<LivingRow>('access token', livingTokens('t.token_hash = $1'));
const byId = prepared<LivingRow>('access token by id', livingTokens('t.id = $1'));

const toPerson = (row: LivingRow): Person => ({
  account: toAccount(row),
  sessionId: row.token_id,
  hasPhoto: row.has_photo,
  accessToken: { id: row.token_id, scopes: row.scopes, visualizationId: row.visualization_id ?? undefined },
});

/** Of simultaneous first uses from one address, one is logged. */
async function markUsed(
  db: Db,
  { id: accountId, token_id: id }: LivingRow,
  address: string,
  now: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const locked = tx.selectFrom('access_tokens').select(['addresses', 'name']).where('id', '=', id).forUpdate();
    const token = await locked.executeTakeFirst();
    if (!token) return;
    const isNew = !token.addresses.includes(address);
    const addresses = isNew ? [...token.addresses, address].slice(-maxAddresses) : token.addresses;
    await tx
      .updateTable('access_tokens')
      .set({ last_used_at: new Date(now), addresses })
      .where('id', '=', id)
      .execute();
    if (!isNew) return;
    const details = { token: id, name: token.name, address };
    await audit(tx, { actor: accountId, action: 'token-address', target: accountId, details }, now);
  });
}

/** The contract's calls about access tokens. */
export function accessTokenRoutes({ db, builtInAdmins, now }: TokenDeps) {
  return {
    accessTokens: {
      make: api.accessTokens.make.handler(async ({ input, context }) => {
        const { account } = personOf(context);
        const { scopes, expiresAt, visualizationId } = input;
        allowed(can(account, { do: 'tokens/make', scopes }, builtInAdmins));
        const name = cleanViewName(input.name);
        if (name === '') throw asError({ code: 'token/unnamed' });
        allowed(checkExpiry(expiresAt, now()));
        const record = visualizationId === undefined ? undefined : await published(db, context, visualizationId);
        const wait = await consume(db, makeLimit, account.id, now());
        if (wait > 0) throw asError({ code: 'token/too-many', params: { seconds: wait } });
        const [id, token, at] = [randomUUID(), accessTokenOf(newToken()), now()];
        const row = {
          id,
          token_hash: hashToken(token),
          account_id: account.id,
          name,
          scopes: [...new Set(scopes)],
          visualization_id: record?.id ?? null,
          created_at: new Date(at),
          expires_at: new Date(expiresAt),
        };
        const made = await inTransaction(db, async (tx): Promise<Result<true>> => {
          await tx.selectFrom('accounts').select('id').where('id', '=', account.id).forUpdate().execute();
          // The session may have ended while this waited for the account, as it does when somebody proves the email.
          const again = personOf({ ...context, person: await context.readAgain(tx) });
          const may = can(again.account, { do: 'tokens/make', scopes }, builtInAdmins);
          if (!may.ok) return may;
          const max = limits.maxAccessTokens;
          if ((await countOf(livingTokensOf(tx, account.id, at))) >= max) return refuse('token/full', { max });
          await tx.insertInto('access_tokens').values(row).execute();
          const line = { actor: account.id, action: 'token', target: account.id } as const;
          await audit(tx, { ...line, details: detailsOf(row) }, at);
          return done(true);
        });
        allowed(made);
        const [listed] = await listTokens(db, at, { id });
        return { ...listed!.token, token };
      }),
      list: api.accessTokens.list.handler(async ({ context }) => {
        const listed = await listTokens(db, now(), { account_id: personOf(context).account.id });
        return listed.map(({ token }) => token);
      }),
      revoke: api.accessTokens.revoke.handler(async ({ input, context }) => {
        const { account } = personOf(context);
        const revoked = await inTransaction(db, async (tx): Promise<Result<true>> => {
          const locked = tx.selectFrom('access_tokens').selectAll().where('id', '=', input.id).forUpdate();
          const row = await locked.executeTakeFirst();
          if (!row || row.revoked_at) return refuse('token/not-found');
          const may = can(account, { do: 'tokens/revoke', accountId: row.account_id }, builtInAdmins);
          if (!may.ok) return may;
          const at = new Date(now());
          await tx.updateTable('access_tokens').set({ revoked_at: at }).where('id', '=', row.id).execute();
          const line = { actor: account.id, action: 'end-token', target: row.account_id } as const;
          await audit(tx, { ...line, details: detailsOf(row) }, at.getTime());
          return done(true);
        });
        allowed(revoked);
        return { id: input.id };
      }),
      all: api.accessTokens.all.handler(async () => {
        const listed = await listTokens(db, now(), {});
        return listed.map(({ token, owner }) => ({ ...token, owner }));
      }),
    },
  };
}

/** Tokens that have not ended, the newest first. */
async function listTokens(
  db: Queryable,
  now: number,
  of: Partial<Pick<Selectable<AccessTokenRow>, 'id' | 'account_id'>>,
): Promise<{ readonly token: ListedToken; readonly owner: string }[]> {
  let living = db
    .selectFrom('access_tokens as t')
    .innerJoin('accounts as a', 'a.id', 't.account_id')
    .leftJoin('visualizations as v', 'v.id', 't.visualization_id')
    .where('t.revoked_at', 'is', null)
    .where('t.expires_at', '>', new Date(now));
  if (of.id !== undefined) living = living.where('t.id', '=', of.id);
  if (of.account_id !== undefined) living = living.where('t.account_id', '=', of.account_id);
  const rows = await living
    .select(['t.id', 't.name', 't.scopes', 't.created_at', 't.expires_at', 't.last_used_at'])
    .select(['a.email', 'v.id as visualization_id', 'v.root_name'])
    .orderBy('t.created_at', 'desc')
    .orderBy('t.id')
    .execute();
  return rows.map((row) => ({
    owner: row.email,
    token: {
      id: row.id,
      name: row.name,
      scopes: row.scopes,
      ...(row.visualization_id && { visualization: { id: row.visualization_id, name: row.root_name ?? '' } }),
      createdAt: row.created_at.getTime(),
      expiresAt: row.expires_at.getTime(),
      ...(row.last_used_at && { lastUsedAt: row.last_used_at.getTime() }),
    },
  }));
}

const detailsOf = (
  row: Pick<Selectable<AccessTokenRow>, 'id' | 'name' | 'scopes' | 'visualization_id' | 'expires_at'>,
) => ({
  token: row.id,
  name: row.name,
  scopes: row.scopes.join(', '),
  ...(row.visualization_id && { visualization: row.visualization_id }),
  until: row.expires_at.toISOString().slice(0, 10),
});
