import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { giveToken } from '../../test/support/access-token-expectations.ts';
import { fileOf, nodeAt, type PlannedServer, startPlanned } from '../../test/support/planned.ts';
import { tusClient } from '../../test/support/tus.ts';
import { giveWebhook } from '../../test/support/webhook-expectations.ts';
import type { Mail } from '../mail/mailer.ts';

let server: PlannedServer;
/** The mails in the order in which they were sent, and who waits for the next one. */
let mails: Mail[] = [];
let waiting: ((mail: Mail) => void)[] = [];

beforeAll(async () => {
  const send = async (mail: Mail) => {
    const next = waiting.shift();
    if (next) next(mail);
    else mails.push(mail);
  };
  server = await startPlanned(Date.now, { mailer: { send } });
});
beforeEach(async () => {
  await server.people();
  for (const table of ['webhooks', 'rate_limits'] as const) await server.db.deleteFrom(table).execute();
  [mails, waiting] = [[], []];
});
afterAll(() => server.stop());

const nextMail = (): Promise<Mail> => {
  const first = mails.shift();
  return first ? Promise.resolve(first) : new Promise((resolve) => waiting.push(resolve));
};

async function asProgram(owner: string): Promise<{ readonly authorization: string }> {
  const { token } = await giveToken({ database: server.database, clock: Date.now() }, owner, { scopes: ['import'] });
  return { authorization: `Bearer ${token}` };
}

/** Sends a list or a hierarchy with a token of its owner. */
async function sendByProgram(
  owner: string,
  name: string,
  list: string,
  options = 'publish=yes&language=en',
): Promise<void> {
  const headers = await asProgram(owner);
  const address = `${server.app.url}/api/imports/new/${name}?${options}`;
  const answer = await fetch(address, { method: 'PUT', headers, body: list });
  expect(answer.status).toBe(201);
}

const hoses = 'Keyword,Group,Cluster,Volume\nred hose,Garden,Hoses,1\nblue hose,Garden,Hoses,2\ncat food,Pets,Food,3\n';

const before = 'shoes > trail: boots 30, spikes 500, laces 7 | road: flats 200, socks 100';
// Spikes have lost three fifths, flats have doubled, boots are gone, laces are in another branch, and there are two new ones.
const after = 'shoes > trail: spikes 200, cleats 90 | road: flats 400, socks 100, laces 7, soles 5';

// Shows P31.1, P31.2.
test('the owner of a map is told what somebody else’s upload has changed, in the figures of the panel; so are webhooks', async () => {
  const first = await server.upload(fileOf(before));
  const { subject, text, to } = await nextMail();
  expect([to, subject]).toEqual(['ann@example.com', 'You have a new map']);
  expect(text).toContain('“shoes” is there, with 5 keywords.');
  expect(text).toContain(`http://localhost:3000/visualization?v=${first}\n`);
  expect(text).not.toContain('new,');

  await server.change('ann', first, { targets: [{ node: nodeAt('shoes', 'trail > boots') }], set: {} });
  await server.change('ann', first, { targets: [{ node: nodeAt('shoes', 'trail > spikes') }], set: {} });
  const webhook = await giveWebhook(
    { database: server.database, clock: Date.now() },
    { events: ['import.published'], url: 'https://[::1]/' },
  );
  const second = await server.upload(fileOf(after));
  const mail = await nextMail();
  expect(mail.subject).toBe('Your map has new data');
  expect(mail.text).toContain('“shoes” has new data: 6 keywords.');
  expect(mail.text).toContain('Keywords: 2 new, 1 gone, 1 moved, 1 with more volume, 1 with less');
  expect(mail.text).toContain('Entries of the plan that need a look: 1');
  expect(mail.text).toContain(`http://localhost:3000/visualization?v=${second}&vs=${first}&panel=changes\n`);
  expect(mail.html).toContain('<p>Keywords: 2 new, 1 gone,');

  const rows = server.db.selectFrom('webhook_deliveries').select('data').where('webhook_id', '=', webhook);
  const [{ data }] = (await rows.execute()) as [{ data: { changes: Record<string, unknown> } }];
  const keywords = { new: 2, gone: 1, moved: 1, volumeUp: 1, volumeDown: 1 };
  expect(data.changes).toMatchObject({ since: first, keywords, planEntries: 1 });

  // The same figures as the panel has.
  for (const level of ['keywords', 'clusters'] as const) {
    const path = `/visualizations/${second}/changes?vs=${first}&level=${level}`;
    const { counts } = (await server.call<{ counts: Record<string, number> }>('ann', 'GET', path)).body;
    const { new: added, gone, moved, 'volume-up': volumeUp, 'volume-down': volumeDown } = counts;
    expect(data.changes[level]).toEqual({ new: added, gone, moved, volumeUp, volumeDown });
  }
});

// Shows P31.1.
test('who imports for themselves by hand gets no mail; what a program imports for them is told', async () => {
  await server.upload(fileOf('hats > summer: straw hat 10'), 'admin');
  await sendByProgram('admin', 'april.csv', hoses);
  const { to, subject, text } = await nextMail();
  expect([to, subject]).toEqual(['admin@example.com', 'You have a new map']);
  expect(text).toContain('“april” is there, with 3 keywords.');
  expect(mails).toEqual([]);
});

// Shows P31.1, P31.3.
test('a hierarchy of a program is told as well, by a request or by tus', async () => {
  await sendByProgram('admin', 'shoes.json', JSON.stringify(fileOf(before)));
  expect((await nextMail()).text).toContain('“shoes” is there, with 5 keywords.');

  const tus = tusClient(server.app.url, '');
  const broken = new TextEncoder().encode('{"keywords": [');
  const headers = await asProgram('admin');
  const metadata = { filename: 'broken.json', filetype: 'application/json', userId: 'admin' };
  const { headers: created } = await tus.create(broken.length, metadata, headers);
  await tus.patch(created.get('location')!, 0, broken, headers);
  const { subject, text } = await nextMail();
  expect(subject).toBe('An import has failed');
  expect(text).toContain('“broken.json” could not be imported:');
  expect(mails).toEqual([]);
});

// Shows P31.5.
test('whom a program belongs to is told that its list waits as a draft, and why; so are webhooks', async () => {
  const clock = Date.now();
  const webhook = await giveWebhook(
    { database: server.database, clock },
    { events: ['import.waiting'], url: 'https://[::1]/' },
  );
  await sendByProgram('admin', 'guess.csv', 'Keyword\nxyzzy\nplugh\n', 'publish=yes');
  const { to, subject, text } = await nextMail();
  expect([to, subject]).toEqual(['admin@example.com', 'A list waits for you']);
  expect(text).toContain('“guess” was read, and waits as a draft. It was not published by itself:');
  expect(text).toContain('The map that you had is unchanged until you publish it.');
  const { id } = await server.db
    .selectFrom('drafts')
    .select('id')
    .where('name', '=', 'guess')
    .executeTakeFirstOrThrow();
  expect(text).toContain(`http://localhost:3000/visualization?draft=${id}\n`);
  const rows = server.db.selectFrom('webhook_deliveries').select('data').where('webhook_id', '=', webhook);
  expect(await rows.execute()).toMatchObject([{ data: { draft: id, reasons: [{ code: 'list/language-guess' }] } }]);
  // A draft that was asked for waits, too.
  await sendByProgram('admin', 'asked.csv', hoses, 'publish=no&language=en');
  expect((await nextMail()).text).toContain('“asked” was read, and waits as a draft.\n');
});

// Shows P31.4.
test('who has switched these emails off gets none of them, and all others of theirs', async () => {
  const settings = { imports: false, assignments: true };
  expect((await server.call('ann', 'GET', '/mail-settings')).body).toEqual({ imports: true, assignments: true });
  expect((await server.call('ann', 'PUT', '/mail-settings', settings)).body).toEqual(settings);
  expect((await server.call('ann', 'GET', '/mail-settings')).body).toEqual(settings);
  expect((await server.call('bob', 'GET', '/mail-settings')).body).toEqual({ imports: true, assignments: true });
  await server.upload(fileOf('belts > leather: wide belt 10'));
  await server.upload(fileOf('ties > silk: red tie 10'), 'bob');
  // Mails are sent in the order of their imports.
  expect((await nextMail()).to).toBe('bob@example.com');
  expect(mails).toEqual([]);
});

// Shows P31.3.
test('a failed import of a program is told by one mail with the reason', async () => {
  // One that a person sends is told by the page alone.
  await server.upload({ keywords: [], hierarchy: 'none' }).catch(() => undefined);
  await sendByProgram('admin', 'march.csv', 'Volume,CPC\n10,1\n20,2\n');
  const { to, subject, text } = await nextMail();
  expect([to, subject]).toEqual(['admin@example.com', 'An import has failed']);
  expect(text).toMatch(/“march” could not be imported: .{10}/);
  expect(text).toContain('The map that you had is unchanged.');
  expect(mails).toEqual([]);
});

test('nobody is told of a map that they may not open', async () => {
  await server.db.updateTable('accounts').set({ status: 'denied' }).where('id', '=', 'ann').execute();
  await server.upload(fileOf('gloves > winter: mittens 10'));
  await server.upload(fileOf('scarves > winter: silk scarf 10'), 'bob');
  expect((await nextMail()).to).toBe('bob@example.com');
  expect(mails).toEqual([]);
});
