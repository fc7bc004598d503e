import { afterAll, beforeAll, expect, test } from 'vitest';
import { waitingForLocks } from '../../test/support/database.ts';
import { type TestServer, testServer } from '../../test/support/server.ts';
import type { Mail } from '../mail/mailer.ts';
import { dropTokens, proveEmail } from './google/identity-queries.ts';
import { sendLetter } from './link-mails.ts';

let server: TestServer;
beforeAll(async () => {
  server = await testServer({}, { mails: { enqueue: async () => undefined, stop: async () => undefined } });
});
afterAll(() => server.close());

test('SEC-15 a mail that is written while the email changes is not sent to the old address', async () => {
  const { config, database, app, clock } = server;
  const { db } = database;
  const { id, email } = await server.person({});
  const sent: Mail[] = [];
  const parts = {
    config,
    db,
    log: app.log as never,
    now: () => clock,
    mailer: { send: async (mail: Mail) => void sent.push(mail) },
  };
  let isDone = false;
  const { writing } = await db.transaction().execute(async (tx) => {
    await proveEmail(tx, id, `new-${email}`, new Date(clock));
    const writing = sendLetter(parts, { kind: 'reset', email, askedAt: clock }).finally(() => {
      isDone = true;
    });
    // Until the job has found the account by its old email and waits for the lock, or has finished without waiting.
    await expect.poll(async () => isDone || (await waitingForLocks(db)) > 0).toBe(true);
    await dropTokens(tx, id);
    return { writing };
  });
  await writing;
  expect(sent).toEqual([]);
  expect(await db.selectFrom('tokens').select('purpose').where('account_id', '=', id).execute()).toEqual([]);
});
