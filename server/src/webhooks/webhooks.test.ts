// Shows SEC-58.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { limits } from '@kc/rules/limits';
import type { WebhookEvent } from '@kc/rules/webhook';
import type { ListedDelivery, ListedWebhook } from '@kc/rules/webhook-api';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fileOf, nodeAt, type PlannedServer, type Refused, startPlanned } from '../../test/support/planned.ts';
import { insertAccount } from '../../test/support/rows.ts';
import { giveWebhook } from '../../test/support/webhook-expectations.ts';
import { inTransaction } from '../database/open.ts';
import { createLog } from '../log.ts';
import { notifyWebhooks } from './notify-webhooks.ts';
import { secretOf, sendDue } from './send-deliveries.ts';

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string };
type Told = { id: string; event: string; at: string; data: ToldData };
type ToldData = {
  readonly upload: string;
  readonly reason: { readonly text: string };
  readonly by: readonly { readonly id: string }[];
  readonly plan: object;
  readonly link: string;
};

/** A program that is told: how it answers, and what it has heard. */
let receiver: { readonly url: string; answer: number | 'hangs'; close(): void; next(): Promise<Heard>; heard: Heard[] };
let server: PlannedServer;
let ahead = 0;
/** Set where a test is about the time between two moments. */
let stoppedAt: number | undefined;
const now = () => (stoppedAt ?? Date.now()) + ahead;
const [minute, hour] = [60_000, 3_600_000];
const day = 24 * hour;

async function openReceiver(): Promise<typeof receiver> {
  const heard: Heard[] = [];
  const waiting: ((one: Heard) => void)[] = [];
  let read = 0;
  const program = createServer(async (request, response) => {
    const one = { headers: request.headers, body: await text(request) };
    heard.push(one);
    if (waiting.length > 0) waiting.shift()!(heard[read++]!);
    if (opened.answer !== 'hangs') response.writeHead(opened.answer).end();
  });
  await new Promise<void>((resolve) => program.listen(0, '127.0.0.1', resolve));
  const opened: typeof receiver = {
    url: `http://127.0.0.1:${(program.address() as AddressInfo).port}/hook`,
    answer: 200,
    heard,
    next: () =>
      read < heard.length ? Promise.resolve(heard[read++]!) : new Promise((resolve) => waiting.push(resolve)),
    close() {
      program.closeAllConnections();
      program.close();
    },
  };
  return opened;
}

beforeAll(async () => {
  server = await startPlanned(now, { environment: { WEBHOOK_ALLOW: '127.0.0.1' } });
});
beforeEach(async () => {
  ahead = 0;
  stoppedAt = undefined;
  receiver?.close();
  receiver = await openReceiver();
  await server.people();
  for (const table of ['webhooks', 'rate_limits'] as const) await server.db.deleteFrom(table).execute();
});
afterAll(async () => {
  receiver.close();
  await server.stop();
});

const told = ({ body }: Heard): Told => JSON.parse(body) as Told;
type Made = ListedWebhook & { readonly secret: string };
async function add(...events: WebhookEvent[]): Promise<Made> {
  const { status, body } = await server.call<Made>('admin', 'POST', '/webhooks', { url: receiver.url, events });
  expect(status).toBe(200);
  return body;
}
const listed = async () => (await server.call<ListedWebhook[]>('admin', 'GET', '/webhooks')).body;
const logOf = async (id: string) =>
  (await server.call<ListedDelivery[]>('admin', 'GET', `/webhooks/${id}/deliveries`)).body;

/** The key of test servers. */
const key = 'what a server of tests signs and seals with';
const never = new AbortController().signal;
const sending = () => ({
  db: server.db,
  now,
  log: createLog('ERROR', { write: () => undefined }),
  enqueue: async () => undefined,
  network: { allowedHosts: new Set(['127.0.0.1']) },
  secret: key,
});
/** Sends what is due, as a job does, by the clock of the test. */
const send = (id: string, signal = never) => sendDue(sending(), id, signal);

/** A delivery that waits without a job: only {@link send} sends it. */
async function giveDelivery(webhook_id: string, more: object = {}): Promise<string> {
  const id = randomUUID();
  const at = new Date(now());
  const row = { id, webhook_id, event: 'import.failed', data: '{}', made_at: at, next_at: at, ...more } as const;
  await server.db.insertInto('webhook_deliveries').values(row).execute();
  return id;
}

/** The example of the documentation. */
const documented = /```js\n(.*?)```/s.exec(
  readFileSync(new URL('../../../docs/webhooks.md', import.meta.url), 'utf8'),
)![1]!;
const { isGenuine } = (await import(`data:text/javascript,${encodeURIComponent(documented)}`)) as {
  isGenuine(secret: string, headers: object, body: string, nowSeconds?: number): boolean;
};

// Shows P30.1, P30.2.
test('an import is told once it is published, signed so that the documented program recognises it', async () => {
  const { id, secret } = await add('import.published');
  const map = await server.upload(fileOf('shoes > trail: boots 30, spikes 5'));
  const heard = await receiver.next();
  expect(isGenuine(secret, heard.headers, heard.body, now() / 1000)).toBe(true);
  const { event, data, ...rest } = told(heard);
  expect(rest).toEqual({ id: heard.headers['webhook-id'], at: expect.stringMatching(/^\d{4}-.*Z$/) });
  expect(event).toBe('import.published');
  expect(data).toEqual({
    visualization: { id: map, name: 'shoes', keywords: 2, nodes: 4, active: true },
    owner: { id: 'ann', email: 'ann@example.com', name: '' },
    by: { id: 'admin', email: 'admin@example.com', name: '' },
    link: `http://localhost:3000/visualization?v=${map}`,
  });
  for (const changed of [
    { secret: secretOf('another key', id) },
    { body: heard.body.replace('shoes', 'boots') },
    { at: now() / 1000 + 301 },
    { headers: { ...heard.headers, 'webhook-id': 'another' } },
  ]) {
    const { secret: its = secret, headers = heard.headers, body = heard.body, at = now() / 1000 } = changed;
    expect(isGenuine(its, headers, body, at)).toBe(false);
  }
});

test('the secret is shown once: it is neither listed nor stored', async () => {
  const { secret, ...shown } = await add('user.pending');
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await listed()).toEqual([shown]);
  const rows = await server.db.selectFrom('webhooks').selectAll().execute();
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6));
});

// Shows P30.1.
test('a file that cannot be read is told with the reason', async () => {
  await add('import.failed');
  await server.upload({ keywords: [], hierarchy: 'none' }).catch(() => undefined);
  const { event, data } = told(await receiver.next());
  expect(event).toBe('import.failed');
  expect(data).toMatchObject({ name: 'shop.json', owner: { id: 'ann' }, by: { id: 'admin' } });
  expect(data.upload).toMatch(/^[0-9a-f]{32}$/);
  expect(data.reason.text).toBeTruthy();
});

// Shows P30.1.
test('who waits for approval is told', async () => {
  await add('user.pending');
  await server.db.updateTable('settings').set({ open_registration: true, auto_approve: false }).execute();
  const asked = { email: 'jo@example.org', password: 'tulip-Harbor-9', displayName: 'Jo' };
  const answer = await server.app.inject({ method: 'POST', url: '/api/sign-up', payload: asked });
  expect(answer.statusCode).toBe(200);
  const { event, data } = told(await receiver.next());
  expect(event).toBe('user.pending');
  expect(data).toMatchObject({ user: { email: 'jo@example.org', name: 'Jo' } });
  expect(data.link).toBe('http://localhost:3000/admin?tab=users');
});

// Shows P30.3.
test('changes of a plan within a minute are told together', async () => {
  const map = await server.upload(fileOf('shoes > trail: boots 30, spikes 5 | road: flats 2'));
  const { id } = await add('plan.changed');
  const plan = (path: string, set: object) =>
    server.change('ann', map, { targets: [{ node: nodeAt('shoes', path) }], base: 99, set });
  const first = (await plan('trail > boots', {})).body.entries[0]!.id;
  await plan('trail > boots', { note: 'one' });
  await server.change('admin', map, { targets: [{ entry: first }], base: 99, set: { note: 'two' } });
  const second = (await plan('road > flats', {})).body.entries[0]!.id;
  expect(await logOf(id)).toMatchObject([{ event: 'plan.changed', state: 'waiting', attempts: 0 }]);
  await send(id);
  expect(receiver.heard).toEqual([]);
  ahead = minute + 1;
  await send(id);
  const { data } = told(await receiver.next());
  expect(data.plan).toMatchObject({ changes: 4, revision: 4, entries: [first, second] });
  expect(data.by.map((by) => by.id)).toEqual(['ann', 'admin']);
  expect(data.link).toBe(`http://localhost:3000/visualization?v=${map}&panel=plan`);
  // What is changed after it was sent is another delivery.
  await plan('road > flats', { note: 'three' });
  expect(await logOf(id)).toMatchObject([{ state: 'waiting' }, { state: 'delivered' }]);
});

// Shows P30.2.
test('what is told exists if and only if what it tells was committed', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  const queued: string[] = [];
  const deps = { enqueue: async (_tx: unknown, { name }: { name: string }) => void queued.push(name), now };
  const news = { event: 'import.failed', name: 'x', ownerId: 'ann', byId: 'bob', reason: { code: 'upload/failed' } };
  const tell = (ends: boolean) =>
    inTransaction(server.db, async (tx) => {
      await notifyWebhooks({ ...deps, baseUrl: new URL('http://localhost') }, tx, news as never);
      if (!ends) throw new Error('rolled back');
    });
  await expect(tell(false)).rejects.toThrow('rolled back');
  expect(await logOf(id)).toEqual([]);
  await tell(true);
  expect(await logOf(id)).toHaveLength(1);
  expect(queued).toEqual(['webhooks', 'webhooks']);
});

// Shows P30.2.
test('a server that stops in the middle leaves the delivery to the next one, which sends it under the same ID', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  const delivery = await giveDelivery(id);
  receiver.answer = 'hangs';
  const stopping = new AbortController();
  const first = send(id, stopping.signal);
  expect(told(await receiver.next()).id).toBe(delivery);
  // Nobody else sends it meanwhile.
  await send(id);
  stopping.abort(new Error('The server is stopping'));
  await expect(first).rejects.toThrow('The server is stopping');
  receiver.answer = 200;
  await send(id);
  expect(told(await receiver.next()).id).toBe(delivery);
  expect(await logOf(id)).toMatchObject([{ state: 'delivered', attempts: 2 }]);
  expect(receiver.heard).toHaveLength(2);
});

test('a server that was killed in the middle has lost nothing: the delivery is due again after a minute', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  await giveDelivery(id, { attempts: 1, next_at: new Date(now() + minute) });
  await send(id);
  expect(receiver.heard).toHaveLength(0);
  ahead = minute + 1;
  await send(id);
  expect(receiver.heard).toHaveLength(1);
});

// Shows P30.4.
test('a receiver that fails is asked again ever later, for a day; then the webhook is off, which is said, until somebody switches it on', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  stoppedAt = Date.now();
  const began = now();
  await giveDelivery(id);
  receiver.answer = 500;
  const pauses: number[] = [];
  for (;;) {
    await send(id);
    const [delivery] = await logOf(id);
    if (delivery!.state !== 'waiting') break;
    expect(delivery).toMatchObject({ status: 500, attempts: pauses.length + 1 });
    pauses.push(delivery!.nextAt! - delivery!.lastAt!);
    ahead = delivery!.nextAt! - stoppedAt;
  }
  const seconds = [10, 30, 60, 120, 300, 900, 1800, 3600, 3600];
  expect(pauses.slice(0, 9)).toEqual(seconds.map((one) => 1000 * one));
  expect(now() - began).toBeGreaterThanOrEqual(day);
  expect(now() - began).toBeLessThan(day + minute);
  expect(await logOf(id)).toMatchObject([{ state: 'failed', status: 500 }]);
  expect(await listed()).toMatchObject([{ id, off: { because: 'failures' } }]);
  const line = server.db.selectFrom('audit_log').selectAll().where('target', '=', id);
  expect(await line.executeTakeFirstOrThrow()).toMatchObject({
    actor: 'system',
    action: 'webhook-off',
    result: 'failed',
    details: { webhook: id, url: new URL(receiver.url).host },
  });
  // Of what happens meanwhile nothing is told.
  await server.upload({ keywords: [], hierarchy: 'nothing' }).catch(() => undefined);
  expect(await logOf(id)).toHaveLength(1);
  const on = await server.call<ListedWebhook>('admin', 'PUT', `/webhooks/${id}`, { isOn: true });
  expect(on.body).toEqual({ id, url: receiver.url, events: ['import.failed'], madeAt: expect.any(Number) });
  receiver.answer = 200;
  await giveDelivery(id);
  await send(id);
  expect((await logOf(id)).map(({ state }) => state).sort()).toEqual(['delivered', 'failed']);
});

test('one delivery that is never taken does not switch off a webhook to which others get through', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  await giveDelivery(id, { attempts: 30, failed_at: new Date(now() - day), made_at: new Date(now() - day) });
  await server.db
    .updateTable('webhooks')
    .set({ failing_since: new Date(now() - minute) })
    .execute();
  receiver.answer = 400;
  await send(id);
  expect(await logOf(id)).toMatchObject([{ state: 'failed', status: 400 }]);
  expect((await listed())[0]).not.toHaveProperty('off');
  receiver.answer = 200;
  await giveDelivery(id);
  await send(id);
  expect((await listed())[0]).not.toHaveProperty('failingSince');
});

test('after a failure the others wait for another job, so that a receiver that hangs keeps no other webhook waiting', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  for (let n = 0; n < 3; n++) await giveDelivery(id);
  receiver.answer = 503;
  stoppedAt = Date.now();
  const queued: number[] = [];
  const enqueue = async (...[, , , , at]: unknown[]) => void queued.push(((at as Date).getTime() - now()) / 1000);
  await sendDue({ ...sending(), enqueue }, id, never);
  expect(receiver.heard).toHaveLength(1);
  expect(queued).toEqual([10]);
  receiver.answer = 200;
  await sendDue({ ...sending(), enqueue }, id, never);
  expect(receiver.heard).toHaveLength(3);
});

// Shows P30.5.
test('a test is sent at once, also while the webhook is off, and tried once', async () => {
  const { id } = await add('import.failed');
  await server.call('admin', 'PUT', `/webhooks/${id}`, { isOn: false });
  receiver.answer = 404;
  const { body } = await server.call<ListedDelivery>('admin', 'POST', `/webhooks/${id}/test`);
  expect(body).toMatchObject({ event: 'test' });
  expect(told(await receiver.next())).toMatchObject({ id: body.id, event: 'test', data: {} });
  await expect
    .poll(() => logOf(id), { timeout: 60_000 })
    .toMatchObject([{ state: 'failed', status: 404, attempts: 1 }]);
  expect((await listed())[0]).toMatchObject({ off: { because: 'person' } });
  expect((await listed())[0]).not.toHaveProperty('failingSince');
});

// Shows P30.5.
test('a delivery is sent again under its ID', async () => {
  const { id } = await add('import.failed');
  const delivery = await giveDelivery(id, { state: 'failed', attempts: 3, fault: 'webhook/off' });
  await server.call('admin', 'POST', `/webhooks/${id}/deliveries/${delivery}/again`);
  expect(told(await receiver.next()).id).toBe(delivery);
  await expect
    .poll(() => logOf(id), { timeout: 60_000 })
    .toMatchObject([{ id: delivery, state: 'delivered', status: 200, attempts: 4 }]);
});

// Shows P30.5.
test('the log has the last hundred deliveries, and those that wait', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  const old = (n: number) => ({ state: 'delivered', made_at: new Date(now() - day - n) });
  for (let n = 0; n < limits.webhookLogLines + 5; n++) await giveDelivery(id, old(n));
  await giveDelivery(id, { made_at: new Date(now() - 2 * day), next_at: new Date(now() + hour) });
  await send(id);
  const rows = server.db.selectFrom('webhook_deliveries').select('state').where('webhook_id', '=', id);
  const states = (await rows.execute()).map(({ state }) => state);
  expect(states.filter((state) => state === 'delivered')).toHaveLength(limits.webhookLogLines);
  expect(states.filter((state) => state === 'waiting')).toHaveLength(1);
});

test.each([
  ['http://hooks.example.com/', 'webhook/https'],
  ['https://127.0.0.2/', 'webhook/private'],
  ['https://ann:secret@127.0.0.1/', 'webhook/user-info'],
  ['hooks', 'webhook/url'],
])('SEC-58 %s is refused when it is added', async (url, code) => {
  const { status, body } = await server.call<Refused>('admin', 'POST', '/webhooks', { url, events: ['user.pending'] });
  expect([status, body.data.code]).toEqual([422, code]);
  expect(await listed()).toEqual([]);
});

test('SEC-58 a target that is not allowed any more is not reached', async () => {
  const id = await giveWebhook({ database: server.database, clock: now() }, { url: receiver.url });
  await giveDelivery(id);
  await sendDue({ ...sending(), network: { allowedHosts: new Set() } }, id, never);
  expect(receiver.heard).toEqual([]);
  expect(await logOf(id)).toMatchObject([{ state: 'waiting', fault: 'webhook/https' }]);
});

test('there is an end to the number of webhooks, and a removed one is told nothing', async () => {
  const first = await add('import.failed');
  for (let n = 1; n < limits.maxWebhooks; n++)
    await giveWebhook({ database: server.database, clock: now() - n }, { events: ['user.pending'] });
  const more = { url: receiver.url, events: ['user.pending'] };
  const full = await server.call<Refused>('admin', 'POST', '/webhooks', more);
  expect(full.body.data).toEqual({ code: 'webhook/full', params: { max: limits.maxWebhooks } });
  await giveDelivery(first.id);
  expect((await server.call('admin', 'DELETE', `/webhooks/${first.id}`)).status).toBe(200);
  await send(first.id);
  expect(receiver.heard).toEqual([]);
  expect((await server.call('admin', 'DELETE', `/webhooks/${first.id}`)).status).toBe(404);
});

test('of administrators who add webhooks at once, only as many succeed as there is room for', async () => {
  for (let n = 1; n < limits.maxWebhooks; n++)
    await giveWebhook({ database: server.database, clock: now() - n }, { events: ['user.pending'] });
  const more = { url: receiver.url, events: ['user.pending'] };
  const admins = Array.from({ length: 8 }, (_, n) => `admin ${n}`);
  for (const id of admins) await insertAccount(server.db, id, { role: 'admin' });
  const added = await Promise.all(admins.map((id) => server.call<Refused>(id, 'POST', '/webhooks', more)));
  expect(added.filter(({ status }) => status === 200)).toHaveLength(1);
});

test('the activity names the host of a webhook, never its path', async () => {
  const { id } = await add('user.pending');
  await server.call('admin', 'PUT', `/webhooks/${id}`, { isOn: false });
  await server.call('admin', 'PUT', `/webhooks/${id}`, { isOn: true });
  await server.call('admin', 'DELETE', `/webhooks/${id}`);
  const lines = await server.db.selectFrom('audit_log').selectAll().where('target', '=', id).orderBy('id').execute();
  expect(lines.map(({ action }) => action)).toEqual(['webhook', 'webhook-off', 'webhook-on', 'end-webhook']);
  expect(JSON.stringify(lines)).not.toContain('/hook');
});
