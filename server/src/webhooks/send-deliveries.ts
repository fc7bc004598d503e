import { createHash, createHmac } from 'node:crypto';
import { limits } from '@kc/rules/limits';
import { type DeliveredEvent, pauseAfter } from '@kc/rules/webhook';
import { type Selectable, sql } from 'kysely';
import { audit } from '../database/audit.ts';
import { inTransaction, type Tx } from '../database/open.ts';
import type { DeliveryRow, WebhookRow } from '../database/webhook-tables.ts';
import type { Jobs, Queue } from '../jobs/jobs.ts';
import type { ServerParts } from '../server-parts.ts';
import { type Network, type Outcome, post } from './webhook-target.ts';

export type SendingDeps = Pick<ServerParts, 'db' | 'log' | 'now'> & {
  readonly enqueue: Jobs['enqueue'];
  readonly network: Network & { readonly answerMs?: number | undefined };
  /** The key of this server, of which the secrets of webhooks are made. */
  readonly secret: string;
  /** Replaces sending by jobs, for a test in which nothing is sent later. */
  readonly send?: typeof sendDue | undefined;
};

type Sending = { readonly webhookId: string };

export const webhookQueueName = 'webhooks';

/** Longer than an attempt. Afterwards, a delivery that a crashed server had begun is sent again. */
const leaseMs = 60_000;
/** After a failure the others of the same webhook wait so long. */
const restMs = 10_000;
/** The clock of the database, by which jobs begin, may be ahead of the one of this server. */
const leastMs = 1_000;

/** Sends the deliveries of webhooks. Source: docs/decisions/111. */
export const webhookQueue = (deps: SendingDeps): Queue<Sending> => ({
  name: webhookQueueName,
  expireSeconds: 600,
  retrySeconds: 10,
  run: ({ webhookId }, signal) => (deps.send ?? sendDue)(deps, webhookId, signal),
});

/**
 * Sends the due deliveries of a webhook until there are none or one fails, so that a receiver that does not answer keeps the
 * others waiting for one attempt at most. The remaining deliveries have another job then.
 *
 * A delivery is retried for a day. If no delivery succeeds for that long, the webhook is switched off.
 */
export async function sendDue(deps: SendingDeps, webhookId: string, signal: AbortSignal): Promise<void> {
  const { db, now } = deps;
  let hasMore = true;
  while (hasMore) {
    const delivery = await inTransaction(db, (tx) => take(tx, webhookId, now()));
    if (!delivery) break;
    const outcome = await attempt(deps, delivery, signal).catch(async (error: unknown) => {
      await db
        .updateTable('webhook_deliveries')
        .set({ next_at: new Date(now()) })
        .where('id', '=', delivery.id)
        .execute();
      throw error;
    });
    hasMore = await inTransaction(db, (tx) => settle(deps, tx, delivery, outcome));
  }
  await inTransaction(db, (tx) => queueNext(deps, tx, webhookId, hasMore ? leastMs : restMs));
}

type DueDelivery = Pick<Selectable<DeliveryRow>, 'id' | 'webhook_id' | 'event' | 'data' | 'made_at' | 'attempts'> &
  Pick<Selectable<WebhookRow>, 'url'>;

/** Leases the next due delivery, so that no other server sends it until the lease ends. Deliveries requested by hand come first. */
async function take(tx: Tx, webhookId: string, now: number): Promise<DueDelivery | undefined> {
  const due = await tx
    .selectFrom('webhook_deliveries as d')
    .innerJoin('webhooks as w', 'w.id', 'd.webhook_id')
    .select(['d.id', 'd.webhook_id', 'd.event', 'd.data', 'd.made_at', 'd.attempts', 'w.url'])
    .where('d.webhook_id', '=', webhookId)
    .where('d.state', '=', 'waiting')
    .where('d.next_at', '<=', new Date(now))
    .orderBy('d.is_by_hand', 'desc')
    .orderBy('d.attempts')
    .orderBy('d.made_at')
    .limit(1)
    .forUpdate('d')
    .skipLocked()
    .executeTakeFirst();
  if (!due) return undefined;
  const attempts = due.attempts + 1;
  const [last_at, next_at] = [new Date(now), new Date(now + leaseMs)];
  await tx.updateTable('webhook_deliveries').set({ attempts, last_at, next_at }).where('id', '=', due.id).execute();
  return { ...due, attempts };
}

function attempt({ network, secret, now }: SendingDeps, delivery: DueDelivery, signal: AbortSignal): Promise<Outcome> {
  const body = bodyOf(delivery);
  const seconds = Math.floor(now() / 1000);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'User-Agent': 'Keyword-Clustering-Webhooks',
    'webhook-id': delivery.id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signatureOf(secretOf(secret, delivery.webhook_id), { id: delivery.id, seconds, body }),
  };
  return post(delivery.url, headers, body, network, signal);
}

/** The same bytes at every attempt. */
const bodyOf = ({ id, event, made_at, data }: DueDelivery): string =>
  JSON.stringify({ id, event, at: made_at.toISOString(), data });

/** The secret of a webhook. It is not stored: only its ID is, and the key of the server is no part of the database. */
export const secretOf = (key: string, webhookId: string): string =>
  `whsec_${createHmac('sha256', key).update(`webhook ${webhookId}`).digest('base64')}`;

type Signed = { readonly id: string; readonly seconds: number; readonly body: string };

/** Source: Standard Webhooks 1.0.0, "Signature scheme": HMAC-SHA256 over ID, time stamp and body. */
function signatureOf(secret: string, { id, seconds, body }: Signed): string {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
}

/** Records an attempt. @returns whether it succeeded */
async function settle(deps: SendingDeps, tx: Tx, due: DueDelivery, outcome: Outcome): Promise<boolean> {
  const at = new Date(deps.now());
  const webhook = await tx
    .selectFrom('webhooks')
    .select(['id', 'url', 'off_at', 'failing_since'])
    .where('id', '=', due.webhook_id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const delivery = await tx
    .selectFrom('webhook_deliveries')
    .select(['failed_at', 'is_by_hand', 'state'])
    .where('id', '=', due.id)
    .forUpdate()
    .executeTakeFirst();
  // Removed meanwhile.
  if (!webhook || !delivery) return true;
  const change = tx.updateTable('webhook_deliveries').where('id', '=', due.id);
  const isDelivered = 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
  const result = 'status' in outcome ? { status: outcome.status, fault: null } : { status: null, fault: outcome.fault };
  log(deps, due, outcome, isDelivered);
  if (isDelivered) {
    await change.set({ ...result, state: 'delivered', is_by_hand: false }).execute();
    await tx.updateTable('webhooks').set({ failing_since: null }).where('id', '=', webhook.id).execute();
    return true;
  }
  const until = (delivery.failed_at ?? at).getTime() + limits.webhookOffAfterMs;
  const isLast = delivery.is_by_hand || at.getTime() >= until || delivery.state !== 'waiting';
  await change
    .set({
      ...result,
      state: isLast ? 'failed' : 'waiting',
      is_by_hand: false,
      failed_at: delivery.failed_at ?? at,
      next_at: new Date(Math.min(at.getTime() + pauseAfter(due.attempts), until)),
    })
    .execute();
  if (delivery.is_by_hand || webhook.off_at) return false;
  const failingSince = webhook.failing_since ?? at;
  if (at.getTime() - failingSince.getTime() >= limits.webhookOffAfterMs) {
    const details = { webhook: webhook.id, url: new URL(webhook.url).host, since: failingSince.toISOString() };
    await switchOff(tx, webhook.id, 'failures', at);
    await audit(tx, { actor: 'system', action: 'webhook-off', target: webhook.id, result: 'failed', details }, +at);
    deps.log.warn(
      { event: 'webhook-off', ...details },
      'Switched off a webhook, because nothing got through for a day',
    );
  } else {
    await tx.updateTable('webhooks').set({ failing_since: failingSince }).where('id', '=', webhook.id).execute();
  }
  return false;
}

/** The address is not logged with each attempt: some services have a secret in it. */
function log({ log }: SendingDeps, due: DueDelivery, outcome: Outcome, isDelivered: boolean): void {
  const { id: delivery, webhook_id: webhook, event: of, attempts: attempt } = due;
  const line = { event: 'webhook', webhook, delivery, of, attempt, ...outcome };
  if (isDelivered) log.info(line, 'Sent to a webhook');
  else log.warn(line, 'Could not send to a webhook');
}

/** Switches a webhook off, and abandons the deliveries that have not been sent yet. */
export async function switchOff(tx: Tx, id: string, because: 'person' | 'failures', at: Date): Promise<void> {
  await tx.updateTable('webhooks').set({ off_at: at, off_because: because }).where('id', '=', id).execute();
  await tx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', fault: 'webhook/off', status: null })
    .where('webhook_id', '=', id)
    .where('state', '=', 'waiting')
    .execute();
}

/** Queues the next attempt, if anything is waiting, and shortens the log. */
async function queueNext({ enqueue, now }: SendingDeps, tx: Tx, webhookId: string, pauseMs: number): Promise<void> {
  await sql`
    delete from webhook_deliveries where webhook_id = ${webhookId} and state <> 'waiting' and id not in (
      select id from webhook_deliveries where webhook_id = ${webhookId}
      order by made_at desc limit ${limits.webhookLogLines})`.execute(tx);
  const { next } = await tx
    .selectFrom('webhook_deliveries')
    .select((e) => e.fn.min('next_at').as('next'))
    .where('webhook_id', '=', webhookId)
    .where('state', '=', 'waiting')
    .executeTakeFirstOrThrow();
  if (!next) return;
  const at = new Date(Math.max(next.getTime(), now() + pauseMs));
  // Jobs of the same moment are one, or each of many deliveries would have its own forever.
  const job = createHash('sha256').update(`${webhookId} ${at.getTime()}`).digest('hex').slice(0, 32);
  await enqueue(tx, { name: webhookQueueName }, job, { webhookId }, at);
}

/** Adds what somebody wants to be sent now, or sends it again. */
export async function sendByHand(
  { enqueue, now }: Pick<SendingDeps, 'enqueue' | 'now'>,
  tx: Tx,
  wanted: { readonly webhookId: string; readonly id: string; readonly event: DeliveredEvent; readonly isNew: boolean },
): Promise<void> {
  const { webhookId, id, event, isNew } = wanted;
  const at = new Date(now());
  if (isNew) {
    const row = { id, webhook_id: webhookId, event, data: '{}', made_at: at, next_at: at, is_by_hand: true };
    await tx.insertInto('webhook_deliveries').values(row).execute();
  } else {
    await tx
      .updateTable('webhook_deliveries')
      .set({ state: 'waiting', is_by_hand: true, next_at: at })
      .where('id', '=', id)
      .execute();
  }
  const job = createHash('sha256').update(`${id} ${at.getTime()}`).digest('hex').slice(0, 32);
  await enqueue(tx, { name: webhookQueueName }, job, { webhookId });
}
