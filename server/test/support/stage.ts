import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { savePassword } from '../../src/accounts/queries.ts';
import { openDiskStorage } from '../../src/storage/disk.ts';
import { giveToken } from './access-token-expectations.ts';
import { type Actor, type Asker, builtInEmails, enter } from './actors.ts';
import { beginDraft, beginUpload, secretName } from './begun-things.ts';
import { cheapHash } from './passwords.ts';
import { type Expectation, expectationOf, password, type Route, type Stage, type Whose } from './routes.ts';
import { builtInEmail, type TestServer, testServer } from './server.ts';
import { giveLink } from './share-links.ts';
import { tusClient } from './tus.ts';
import { giveWebhook } from './webhook-expectations.ts';

/** A server for the access matrix, with a new asker and target for every request. */
export type Theatre = {
  readonly server: TestServer;
  /** Creates an asker, another user, and an object of the kind that the route names. */
  setUp(route: Route, actor: Actor, whose: Whose): Promise<Stage>;
  close(): Promise<void>;
};

const missing: Readonly<Record<NonNullable<Expectation['names']>, string>> = {
  account: '00000000-0000-4000-8000-000000000000',
  avatar: '00000000-0000-4000-8000-000000000000',
  visualization: '00000000-0000-4000-8000-000000000000',
  view: '00000000-0000-4000-8000-000000000000',
  upload: '0'.repeat(32),
  draft: '0'.repeat(32),
  preset: '00000000-0000-4000-8000-000000000000',
  score: '00000000-0000-4000-8000-000000000000',
  link: '00000000-0000-4000-8000-000000000000',
  token: '00000000-0000-4000-8000-000000000000',
  webhook: '00000000-0000-4000-8000-000000000000',
};

/**
 * Opens the server with one real visualization on disk, and an earlier one with the same file. It sends no mail and removes no stored file: a job would do so
 * later and change its row in the database during another request, one that must change nothing.
 */
export async function openTheatre(): Promise<Theatre> {
  const folder = await mkdtemp(join(tmpdir(), 'kc-matrix-'));
  const storage = { ...(await openDiskStorage(join(folder, 'files'))), remove: async () => undefined };
  const server = await testServer(
    { ADMIN_EMAILS: [builtInEmail, ...Object.values(builtInEmails)].join(',') },
    {
      queueFileDeletion: async () => undefined,
      mails: { enqueue: async () => undefined, stop: async () => undefined },
      webhooks: { send: async () => undefined },
    },
    storage,
  );
  const { db } = server.database;
  const hash = cheapHash(password);
  const keeper = await server.person({ role: 'admin' });
  const url = await server.app.listen({ host: '127.0.0.1', port: 0 });
  // Requests that compare with an earlier upload need one: see `withEarlier`.
  await publish(url, keeper);
  const visualization = await publish(url, keeper);
  const published = db.selectFrom('visualizations').selectAll().where('id', '=', visualization);
  const record = { ...(await published.executeTakeFirstOrThrow()), upload_id: null };
  await savePassword(db, keeper.id, hash, server.clock);

  async function thingOf(route: Route, asker: Asker, other: string, whose: Whose): Promise<string> {
    const { names } = expectationOf(route);
    if (names === undefined) return '';
    if (whose === 'missing') return missing[names];
    // A deleted account owns nothing.
    const owner = whose === 'own' && (await isThere(asker.account.id)) ? asker.account.id : other;
    if (names === 'avatar') await givePicture(server, owner);
    if (names === 'account' || names === 'avatar') return owner;
    if (names === 'view') return giveView(server, owner);
    if (names === 'preset') return givePreset(server, owner, 'filter');
    if (names === 'score') return givePreset(server, owner, 'score');
    if (names === 'upload') return beginUpload(server, owner);
    if (names === 'draft') return beginDraft(server, owner);
    if (names === 'token') return (await giveToken(server, owner)).id;
    if (names === 'webhook') return giveWebhook(server);
    // An earlier request may have deleted the record, but its files still exist.
    await db
      .insertInto('visualizations')
      .values({ ...record, user_id: owner })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ user_id: owner }))
      .execute();
    if (names === 'link') return (await giveLink(server, { visualizationId: visualization, makerId: owner })).id;
    return visualization;
  }

  const isThere = async (id: string): Promise<boolean> =>
    (await db.selectFrom('accounts').select('id').where('id', '=', id).executeTakeFirst()) !== undefined;

  return {
    server,
    async setUp(route, actor, whose) {
      await db.updateTable('visualizations').set({ user_id: keeper.id, is_active: false }).execute();
      await db.deleteFrom('accounts').where('id', '!=', keeper.id).execute();
      await db.deleteFrom('credentials').where('account_id', '!=', keeper.id).execute();
      await db.deleteFrom('rate_limits').execute();
      const asker = await enter(server, actor, keeper);
      const member = await server.person({ status: 'pending' });
      for (const { id } of [asker.account, member]) await savePassword(db, id, hash, server.clock);
      return { server, asker, member, thing: await thingOf(route, asker, member.id, whose) };
    },
    async close() {
      await server.close();
      await rm(folder, { recursive: true });
    },
  };
}

async function giveView({ database, clock }: TestServer, accountId: string): Promise<string> {
  const id = randomUUID();
  const of = { account_id: accountId, owner_id: accountId, root_name: secretName, created_at: new Date(clock) };
  const view = { id, ...of, name: secretName, state: '', position: 0 };
  await database.db.insertInto('saved_views').values(view).execute();
  return id;
}

async function givePreset({ database, clock }: TestServer, accountId: string, kind: 'filter' | 'score') {
  const id = randomUUID();
  const at = new Date(clock);
  const text = kind === 'filter' ? 'has-a' : 'branch.volume';
  const preset = { id, account_id: accountId, kind, name: secretName, text, created_at: at };
  await database.db.insertInto('presets').values(preset).execute();
  return id;
}

async function givePicture({ database, clock }: TestServer, accountId: string): Promise<void> {
  const at = new Date(clock);
  const picture = { picture: Buffer.from(secretName), content_type: 'image/png', etag: '"1"' } as const;
  await database.db
    .insertInto('avatars')
    .values({ account_id: accountId, looked_up_at: at, look_again_at: at, asked_photo_url: null, ...picture })
    .execute();
}

/** Uploads a file over HTTP and waits until the visualization is active. @returns the visualization's ID */
async function publish(url: string, { id, cookie }: { id: string; cookie: string }): Promise<string> {
  const client = tusClient(url, cookie);
  const file = new TextEncoder().encode(
    '{"keywords":["shoes","hats"],"hierarchy":{"name":"shoes","children":[{"name":"shoes"}]}}',
  );
  const { visualizationId } = await client.settled(await client.send(file, { filename: secretName, userId: id }));
  if (!visualizationId) throw new Error('The visualization of the matrix could not be made');
  return visualizationId;
}
