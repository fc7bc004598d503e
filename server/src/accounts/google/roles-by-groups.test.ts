import { googleCallback } from '@kc/rules/google';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBrowser, type GoogleStage, googleStage, outcome } from '../../../test/support/google.ts';
import { startTestProvider, type TestPerson } from '../../../test/support/provider.ts';
import { testServer } from '../../../test/support/server.ts';

const groups = { OIDC_ADMIN_GROUPS: 'leads', OIDC_USER_GROUPS: 'seo', OIDC_NAME: 'Acme ID' };
let stage: GoogleStage;
beforeAll(async () => {
  stage = await googleStage(groups);
});
afterAll(() => stage.close());
beforeEach(async () => {
  const { db } = stage.server.database;
  await db.deleteFrom('rate_limits').execute();
  await db.updateTable('accounts').set({ role: 'user' }).execute();
});

const standing = (email: string | undefined) =>
  stage.server.database.db
    .selectFrom('accounts')
    .select(['role', 'status'])
    .where('email', '=', email!)
    .executeTakeFirstOrThrow();
const linesAbout = async (email: string | undefined) => {
  const { db } = stage.server.database;
  const { id } = await db.selectFrom('accounts').select('id').where('email', '=', email!).executeTakeFirstOrThrow();
  const lines = db.selectFrom('audit_log').select(['actor', 'action', 'result', 'details']).where('target', '=', id);
  return lines.where('action', 'in', ['role', 'status']).orderBy('id').execute();
};

async function comeAs({ sub }: TestPerson) {
  const browser = stage.browser();
  expect(outcome(await browser.goAs(sub))).toBe('done');
  return browser;
}

// Shows P26.10.
test('SEC-55 a person of an administrators’ group administers at once, and no more once they have left it', async () => {
  const other = stage.somebody({ groups: ['leads'] });
  await comeAs(other);
  const ann = stage.somebody({ groups: ['cooks', 'leads'] });
  const first = await comeAs(ann);
  expect(await first.session()).toMatchObject({
    isAdmin: true,
    status: 'approved',
    server: { providerName: 'Acme ID' },
  });
  const by = 'groups';
  expect(await linesAbout(ann.email)).toEqual([
    { actor: 'system', action: 'role', result: 'ok', details: { from: 'user', to: 'admin', by } },
    { actor: 'system', action: 'status', result: 'ok', details: { from: 'pending', to: 'approved', by } },
  ]);
  await comeAs(ann);
  expect(await linesAbout(ann.email)).toHaveLength(2);
  stage.somebody({ ...ann, groups: ['cooks'] });
  await comeAs(ann);
  // The session of before has lost the right, too.
  expect(await first.session()).toMatchObject({ isAdmin: false, status: 'approved' });
  expect((await linesAbout(ann.email)).at(-1)!.details).toEqual({ from: 'admin', to: 'user', by });
});

test('SEC-55 a missing claim gives no rights, and takes those of administrators', async () => {
  await comeAs(stage.somebody({ groups: ['leads'] }));
  const ann = stage.somebody({ groups: 'leads' });
  await comeAs(ann);
  const { groups: _gone, ...unnamed } = ann;
  stage.provider.people = [...stage.provider.people.filter(({ sub }) => sub !== ann.sub), unnamed];
  await comeAs(ann);
  expect(await standing(ann.email)).toEqual({ role: 'user', status: 'approved' });
  const bob = stage.somebody();
  await comeAs(bob);
  expect(await standing(bob.email)).toEqual({ role: 'user', status: 'pending' });
});

test('a person of a users’ group needs no approval, and a denied one stays denied', async () => {
  const ann = stage.somebody({ groups: ['seo'] });
  await comeAs(ann);
  expect(await standing(ann.email)).toEqual({ role: 'user', status: 'approved' });
  const { db } = stage.server.database;
  await db.updateTable('accounts').set({ status: 'denied' }).where('email', '=', ann.email!).execute();
  stage.somebody({ ...ann, groups: ['seo', 'leads'] });
  expect(await (await comeAs(ann)).session()).toMatchObject({ isAdmin: false, status: 'denied' });
});

// Shows P26.10.
test('SEC-55 the last administrator keeps the role, which the activity says, until there is another one', async () => {
  const ann = stage.somebody({ groups: ['leads'] });
  await comeAs(ann);
  stage.somebody({ ...ann, groups: [] });
  const browser = await comeAs(ann);
  expect(await browser.session()).toMatchObject({ isAdmin: true });
  expect((await linesAbout(ann.email)).at(-1)).toEqual({
    actor: 'system',
    action: 'role',
    result: 'refused',
    details: { by: 'groups', kept: 'the last administrator' },
  });
  await comeAs(stage.somebody({ groups: ['leads'] }));
  await comeAs(ann);
  expect(await browser.session()).toMatchObject({ isAdmin: false });
});

test('SEC-55 of two who are the last and leave at the same time, one stays', async () => {
  const people = [stage.somebody({ groups: ['leads'] }), stage.somebody({ groups: ['leads'] })];
  for (const person of people) await comeAs(person);
  for (const person of people) stage.somebody({ ...person, groups: [] });
  await Promise.all(people.map(comeAs));
  const left = await Promise.all(people.map(({ email }) => standing(email)));
  expect(left.map(({ role }) => role).sort()).toEqual(['admin', 'user']);
});

test('groups that are only in the user info response count as well', async () => {
  const redirectUris = [`http://localhost:3000${googleCallback}`];
  const provider = await startTestProvider({ redirectUris, claimsIn: 'user-info' });
  const server = await testServer({ ...provider.environment, ...groups });
  provider.people = [{ sub: 'ann', email: 'ann@example.org', email_verified: true, groups: ['leads'] }];
  const browser = createBrowser(server, provider);
  await browser.goAs('ann');
  expect(await browser.session()).toMatchObject({ isAdmin: true });
  await server.close();
  await provider.stop();
});

test('without groups in the variables, claims change nothing', async () => {
  const plain = await googleStage();
  const ann = plain.somebody({ groups: ['leads', 'seo'] });
  const browser = plain.browser();
  await browser.goAs(ann.sub);
  const session = await browser.session();
  expect(session).toMatchObject({ isAdmin: false, status: 'pending' });
  expect(session.server).not.toHaveProperty('providerName');
  await plain.close();
});
