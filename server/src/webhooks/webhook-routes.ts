import { randomUUID } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import type { ListedDelivery, ListedWebhook } from '@kc/rules/webhook-api';
import { type Selectable, sql } from 'kysely';
import { api, personOf } from '../accounts/require.ts';
import { audit } from '../database/audit.ts';
import { countOf, inTransaction, type Queryable, type Tx } from '../database/open.ts';
import type { DeliveryRow, WebhookRow } from '../database/webhook-tables.ts';
import { consume, type Limit } from '../http/rate-limits.ts';
import { allowed, asError } from '../http/refusals.ts';
import type { ServerParts } from '../server-parts.ts';
import { type SendingDeps, secretOf, sendByHand, switchOff } from './send-deliveries.ts';
import { checkTarget } from './webhook-target.ts';

type RouteDeps = Pick<ServerParts, 'isAdmin'> & SendingDeps;

/** Sending by hand makes requests to other servers. */
const byHandLimit: Limit = { name: 'webhook-by-hand', uses: 30, windowMs: 60_000 };

/** The contract's calls about webhooks: all of administrators. */
export function webhookRoutes(deps: RouteDeps) {
  const { db, isAdmin, network, secret, enqueue, now } = deps;

  /** A change by an administrator, who must be one until it is stored. */
  const change = <T>(actor: string, work: (tx: Tx, at: Date) => Promise<Result<T>>): Promise<T> =>
    inTransaction(db, async (tx) => {
      const acting = await isAdmin(tx, actor);
      return acting.ok ? work(tx, new Date(now())) : acting;
    }).then(allowed);

  async function byHand(actor: string): Promise<void> {
    const wait = await consume(db, byHandLimit, actor, now());
    if (wait > 0) throw asError({ code: 'token/too-many', params: { seconds: wait } });
  }

  return {
    webhooks: {
      make: api.webhooks.make.handler(async ({ input, context }) => {
        const { id: actor } = personOf(context).account;
        await byHand(actor);
        const target = allowed(
          await checkTarget(input.url.trim(), network, AbortSignal.timeout(limits.webhookAnswerMs)),
        );
        const id = randomUUID();
        const row = { id, url: target.url.href, events: [...new Set(input.events)] };
        const made = await change(actor, async (tx, at) => {
          const max = limits.maxWebhooks;
          // Two administrators at once would both see room for one.
          await sql`select pg_advisory_xact_lock(hashtext('webhooks: addition'))`.execute(tx);
          if ((await countOf(tx.selectFrom('webhooks'))) >= max) return refuse('webhook/full', { max });
          await tx
            .insertInto('webhooks')
            .values({ ...row, made_at: at })
            .execute();
          const details = { webhook: id, url: hostOf(row.url), events: row.events.join(', ') };
          await audit(tx, { actor, action: 'webhook', target: id, details }, +at);
          return done(await webhook(tx, id));
        });
        return { ...listed(made!), secret: secretOf(secret, id) };
      }),
      list: api.webhooks.list.handler(async () => {
        const rows = await db.selectFrom('webhooks').selectAll().orderBy('made_at', 'desc').orderBy('id').execute();
        return rows.map(listed);
      }),
      set: api.webhooks.set.handler(async ({ input: { id, isOn }, context }) => {
        const { id: actor } = personOf(context).account;
        const changed = await change(actor, async (tx, at) => {
          const found = await lockedWebhook(tx, id);
          if (!found) return refuse('webhook/not-found');
          if (isOn === (found.off_at === null)) return done(found);
          if (isOn) {
            const on = { off_at: null, off_because: null, failing_since: null };
            await tx.updateTable('webhooks').set(on).where('id', '=', id).execute();
          } else await switchOff(tx, id, 'person', at);
          const details = { webhook: id, url: hostOf(found.url) };
          await audit(tx, { actor, action: isOn ? 'webhook-on' : 'webhook-off', target: id, details }, +at);
          return done((await webhook(tx, id))!);
        });
        return listed(changed);
      }),
      remove: api.webhooks.remove.handler(async ({ input: { id }, context }) => {
        const { id: actor } = personOf(context).account;
        await change(actor, async (tx, at) => {
          const deleted = await tx.deleteFrom('webhooks').where('id', '=', id).returning('url').executeTakeFirst();
          if (!deleted) return refuse('webhook/not-found');
          const details = { webhook: id, url: hostOf(deleted.url) };
          await audit(tx, { actor, action: 'end-webhook', target: id, details }, +at);
          return done(true);
        });
        return { id };
      }),
      deliveries: api.webhooks.deliveries.handler(async ({ input: { id } }) => {
        if (!(await webhook(db, id))) throw asError({ code: 'webhook/not-found' });
        return deliveries(db, id);
      }),
      test: api.webhooks.test.handler(async ({ input: { id: webhookId }, context }) => {
        const { id: actor } = personOf(context).account;
        await byHand(actor);
        const id = randomUUID();
        await change(actor, async (tx) => {
          if (!(await lockedWebhook(tx, webhookId))) return refuse('webhook/not-found');
          await sendByHand({ enqueue, now }, tx, { webhookId, id, event: 'test', isNew: true });
          return done(true);
        });
        return delivery(db, webhookId, id);
      }),
      sendAgain: api.webhooks.sendAgain.handler(async ({ input: { id: webhookId, delivery: id }, context }) => {
        const { id: actor } = personOf(context).account;
        await byHand(actor);
        await change(actor, async (tx) => {
          if (!(await lockedWebhook(tx, webhookId))) return refuse('webhook/not-found');
          const [found] = await deliveries(tx, webhookId, id);
          if (!found) return refuse('webhook/delivery-not-found');
          await sendByHand({ enqueue, now }, tx, { webhookId, id, event: found.event, isNew: false });
          return done(true);
        });
        return delivery(db, webhookId, id);
      }),
    },
  };
}

const webhook = (db: Queryable, id: string) =>
  db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirst();

const lockedWebhook = (tx: Tx, id: string) =>
  tx.selectFrom('webhooks').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

/** What the activity says of an address: some services have a secret in its path. */
const hostOf = (url: string): string => new URL(url).host;

function listed({
  id,
  url,
  events,
  made_at,
  off_at,
  off_because,
  failing_since,
}: Selectable<WebhookRow>): ListedWebhook {
  return {
    id,
    url,
    events,
    madeAt: made_at.getTime(),
    ...(off_at && { off: { at: off_at.getTime(), because: off_because ?? 'person' } }),
    ...(failing_since && { failingSince: failing_since.getTime() }),
  };
}

async function deliveries(db: Queryable, webhookId: string, id?: string): Promise<ListedDelivery[]> {
  let query = db.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId);
  if (id !== undefined) query = query.where('id', '=', id);
  const rows = await query.orderBy('made_at', 'desc').orderBy('id').limit(limits.webhookLogLines).execute();
  return rows.map(listedDelivery);
}

async function delivery(db: Queryable, webhookId: string, id: string): Promise<ListedDelivery> {
  const [found] = await deliveries(db, webhookId, id);
  if (!found) throw asError({ code: 'webhook/delivery-not-found' });
  return found;
}

function listedDelivery(row: Selectable<DeliveryRow>): ListedDelivery {
  const { id, event, made_at, state, attempts, last_at, status, fault, next_at } = row;
  return {
    id,
    event,
    at: made_at.getTime(),
    state,
    attempts,
    ...(last_at && { lastAt: last_at.getTime() }),
    ...(status !== null && { status }),
    ...(fault !== null && { fault }),
    ...(state === 'waiting' && { nextAt: next_at.getTime() }),
  };
}
