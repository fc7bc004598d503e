import { afterAll, beforeAll, expect, test } from 'vitest';
import { giveToken } from '../../../test/support/access-token-expectations.ts';
import { untilOneWaits } from '../../../test/support/database.ts';
import { type GoogleStage, googleStage, outcome } from '../../../test/support/google.ts';
import { builtInEmail } from '../../../test/support/server.ts';
import { inTransaction } from '../../database/open.ts';
import { proveAdmin } from '../claim.ts';
import { markSignedIn } from '../queries.ts';
import { startSession } from '../sessions.ts';

let stage: GoogleStage;
beforeAll(async () => {
  stage = await googleStage();
});
afterAll(() => stage.close());

test('T20 S1 a user waiting under a built-in admin’s name gets no rights, even if they sign in while it is claimed', async () => {
  const { db } = stage.server.database;
  const squatter = stage.somebody({ email_verified: false });
  await stage.browser().goAs(squatter.sub);
  const { id } = await db
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', squatter.email!)
    .executeTakeFirstOrThrow();
  await giveToken(stage.server, id);
  // ADMIN_EMAILS names the squatted address from now on.
  await db.updateTable('accounts').set({ email: builtInEmail }).where('id', '=', id).execute();

  const browser = stage.browser();
  const answer = await inTransaction(db, async (tx) => {
    await tx.selectFrom('accounts').select('id').where('id', '=', id).forUpdate().execute();
    // The sign-in finds the identity, then waits for the lock on the account.
    const signingIn = browser.goAs(squatter.sub);
    await untilOneWaits(db);
    await proveAdmin(tx, id, stage.server.clock);
    return { signingIn };
  });
  await answer.signingIn;
  expect((await browser.session()).isAdmin).toBe(false);
  for (const table of ['identities', 'sessions', 'access_tokens'] as const) {
    expect(await db.selectFrom(table).select('account_id').where('account_id', '=', id).execute()).toEqual([]);
  }
  expect(outcome(await stage.browser().goAs(squatter.sub))).not.toBe('google/profile-failed');
});

test('T11 S1 a sign-in that ends while the account is claimed leaves no session behind', async () => {
  const { database, clock, person } = stage.server;
  const { db } = database;
  const { id } = await person({ status: 'pending' });
  const { claiming } = await inTransaction(db, async (tx) => {
    // The state of a sign-in with another person's password just before its commit.
    await markSignedIn(tx, id, clock);
    await startSession(tx, id, false, clock);
    const claiming = inTransaction(db, (other) => proveAdmin(other, id, clock));
    await untilOneWaits(db);
    return { claiming };
  });
  await claiming;
  expect(await db.selectFrom('sessions').select('id').where('account_id', '=', id).execute()).toEqual([]);
});
