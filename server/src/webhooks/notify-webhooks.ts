import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { sayRefusal } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { paths } from '@kc/rules/paths';
import type { News, WebhookEvent } from '@kc/rules/webhook';
import { sql } from 'kysely';
import { changesRow, storableJson, type Tx } from '../database/open.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ServerParts } from '../server-parts.ts';
import { webhookQueueName } from './send-deliveries.ts';

type NotifyDeps = Pick<ServerParts, 'now'> & {
  readonly enqueue: Jobs['enqueue'];
  /** Where people open the product. */
  readonly baseUrl: URL;
};

/** A delivery ID in the form of a UUID, always the same for one key and webhook. */
const idOf = (key: string, webhookId: string): string =>
  createHash('sha256')
    .update(`${key} ${webhookId}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');

/** The maximum number of entries that a delivery about a plan names. */
const maxEntries = 100;

/**
 * Stores a delivery for each webhook that listens to an event, and queues its sending, in the transaction in which the event happened: neither
 * exists without the other, and nothing is lost if the server dies.
 *
 * Changes of one plan within a minute share a delivery.
 */
export async function notifyWebhooks({ enqueue, baseUrl, now }: NotifyDeps, tx: Tx, news: News): Promise<void> {
  const at = now();
  // The lock waits for webhooks that are being removed: a delivery cannot refer to a deleted one.
  const { rows: subscribers } = await sql<{ id: string }>`
    select id from webhooks where off_at is null and events @> array[${news.event}] for key share`.execute(tx);
  if (subscribers.length === 0) return;
  const written = await dataOf(tx, news, baseUrl);
  if (!written) return;
  const { subject, key, data } = written;
  const later = subject === undefined ? undefined : new Date(at + limits.webhookPlanMs);
  for (const { id: webhookId } of subscribers) {
    if (subject !== undefined && (await joined(tx, { webhookId, subject, data, at }))) continue;
    const id = key === undefined ? randomUUID() : idOf(key, webhookId);
    const delivery = tx
      .insertInto('webhook_deliveries')
      .values({
        id,
        webhook_id: webhookId,
        event: news.event,
        subject: subject ?? null,
        data: storableJson(data),
        made_at: new Date(at),
        next_at: later ?? new Date(at),
      })
      .onConflict((conflict) => conflict.doNothing());
    if (!(await changesRow(delivery))) continue;
    await enqueue(tx, { name: webhookQueueName }, randomBytes(16).toString('hex'), { webhookId }, later);
  }
}

type Data = Readonly<Record<string, unknown>>;
type DeliveryContent = {
  readonly subject?: string;
  /** Present for an event that is delivered once, however often it is announced: what identifies it. */
  readonly key?: string;
  readonly data: Data;
};

/** The body of a delivery without its ID, event and time, as docs/webhooks.md describes it; undefined if its subject was deleted already. */
async function dataOf(tx: Tx, news: News, baseUrl: URL): Promise<DeliveryContent | undefined> {
  const link = (path: string, query: Readonly<Record<string, string>>) =>
    new URL(`${path}?${new URLSearchParams(query)}`, baseUrl).href;
  switch (news.event) {
    case 'import.published': {
      const map = await mapOf(tx, news.visualizationId);
      if (!map) return undefined;
      const { id, root_name, keywords, nodes, is_active, user_id, uploaded_by } = map;
      const visualization = { id, name: root_name, keywords, nodes, active: is_active };
      const people = { owner: await personOf(tx, user_id), by: await personOf(tx, uploaded_by) };
      const { changes } = news;
      return {
        key: id,
        data: { visualization, ...people, ...(changes && { changes }), link: link(paths.visualization, { v: id }) },
      };
    }
    case 'import.waiting': {
      const { draft, name, ownerId, byId, reasons } = news;
      const people = { owner: await personOf(tx, ownerId), by: await personOf(tx, byId) };
      const reasonTexts = reasons.map((reason) => ({ code: reason.code, text: sayRefusal(reason) }));
      return { data: { draft, name, ...people, reasons: reasonTexts, link: link(paths.visualization, { draft }) } };
    }
    case 'import.failed': {
      const { upload, draft, name, ownerId, byId, reason } = news;
      const people = { owner: await personOf(tx, ownerId), by: await personOf(tx, byId) };
      const reasonText = { code: reason.code, text: sayRefusal(reason) };
      const page = draft === undefined ? link(paths.admin, { tab: 'upload' }) : link(paths.visualization, { draft });
      return {
        data: { ...(upload && { upload }), ...(draft && { draft }), name, ...people, reason: reasonText, link: page },
      };
    }
    case 'plan.changed': {
      const map = await mapOf(tx, news.visualizationId);
      if (!map) return undefined;
      const { planId: id, revision, entries, changes } = news;
      const plan = { id, revision, changes, entries: entries.slice(0, maxEntries) };
      const people = { owner: await personOf(tx, map.user_id), by: [await personOf(tx, news.byId)] };
      const visualization = { id: map.id, name: map.root_name };
      const page = link(paths.visualization, { v: map.id, panel: 'plan' });
      return { subject: id, data: { plan, visualization, ...people, link: page } };
    }
    case 'user.pending':
      return { data: { user: await personOf(tx, news.accountId), link: link(paths.admin, { tab: 'users' }) } };
  }
}

const mapOf = (tx: Tx, id: string) =>
  tx
    .selectFrom('visualizations')
    .select(['id', 'root_name', 'keywords', 'nodes', 'is_active', 'user_id', 'uploaded_by'])
    .where('id', '=', id)
    .executeTakeFirst();

async function personOf(tx: Tx, id: string): Promise<Data> {
  const found = tx.selectFrom('accounts').select(['id', 'email', 'display_name as name']).where('id', '=', id);
  return (await found.executeTakeFirst()) ?? { id };
}

type Joined = { readonly webhookId: string; readonly subject: string; readonly data: Data; readonly at: number };

/** Adds a change of a plan to a delivery about the plan that is not being sent yet. @returns whether there was one */
async function joined(tx: Tx, { webhookId, subject, data, at }: Joined): Promise<boolean> {
  const waiting = await tx
    .selectFrom('webhook_deliveries')
    .select(['id', 'data'])
    .where('webhook_id', '=', webhookId)
    .where('event', '=', 'plan.changed' satisfies WebhookEvent)
    .where('subject', '=', subject)
    .where('state', '=', 'waiting')
    .where('attempts', '=', 0)
    .where('next_at', '>', new Date(at))
    .forUpdate()
    .executeTakeFirst();
  if (!waiting) return false;
  const together = joinChanges(waiting.data as PlanData, data as PlanData);
  await tx
    .updateTable('webhook_deliveries')
    .set({ data: storableJson(together) })
    .where('id', '=', waiting.id)
    .execute();
  return true;
}

type PlanData = {
  readonly plan: { readonly changes: number; readonly entries: readonly string[] };
  readonly by: readonly { readonly id: string }[];
};

function joinChanges(before: PlanData, after: PlanData): PlanData {
  const entries = [...new Set([...before.plan.entries, ...after.plan.entries])].slice(0, maxEntries);
  const by = [...new Map([...before.by, ...after.by].map((person) => [person.id, person])).values()];
  return { ...after, plan: { ...after.plan, changes: before.plan.changes + after.plan.changes, entries }, by };
}
