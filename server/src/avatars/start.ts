import { createHash } from 'node:crypto';
import { can } from '@kc/rules/access';
import type { FastifyPluginAsync } from 'fastify';
import type { NotNull } from 'kysely';
import type pg from 'pg';
import { personOf, requireRaw } from '../accounts/require.ts';
import type { Config } from '../config.ts';
import { notify } from '../database/notifications.ts';
import { type Db, inTransaction } from '../database/open.ts';
import { sendRefusal } from '../http/refusals.ts';
import { type Jobs, type Queue, startJobs } from '../jobs/jobs.ts';
import type { Log } from '../log.ts';
import { type AvatarSource, fetchPicture, gravatarSource, type LookUpResult, pictureExists } from './gravatar.ts';

type AvatarDeps = Omit<LookUpDeps, 'outside'> & {
  readonly config: Pick<Config, 'avatarLookup'>;
  /** For the job runner's connections, with the server's own role. */
  readonly connection: () => pg.ClientConfig;
  /** Whether no other server uses this database. */
  readonly alone: boolean;
  /** Aborted when nothing may be looked up any more. */
  readonly rest?: AbortSignal | undefined;
  /** Replaces the network, for a test. */
  readonly outside?: LookUpDeps['outside'];
};

type Avatars = {
  /** What the app registers: the route that serves the pictures. */
  readonly mount: { readonly routes: Readonly<Record<string, never>>; readonly raw: FastifyPluginAsync };
  stop(): Promise<void>;
};

const everyMs = 5 * 60_000;

/**
 * Users' pictures. They are always served, but looked up (by a job every five minutes) only with `AVATAR_LOOKUP=on`.
 * Without it, no request leaves this server.
 *
 * Source: SECURITY.md, S15, REL-34.
 */
export async function startAvatars(deps: AvatarDeps): Promise<Avatars> {
  const lookUp = deps.config.avatarLookup ? await startLookUp(deps) : undefined;
  return {
    mount: { routes: {}, raw: avatarRoute(deps.db) },
    stop: async () => lookUp?.stop(),
  };
}

async function startLookUp(deps: AvatarDeps): Promise<{ stop(): Promise<void> }> {
  const { log, outside = gravatarSource } = deps;
  const queue: Queue<object> = {
    name: 'avatars',
    expireSeconds: 900,
    retrySeconds: 60,
    run: (_data, signal) => lookUpPictures({ ...deps, outside }, signal),
  };
  const jobs = await startJobs({
    connection: deps.connection(),
    queues: [queue],
    works: true,
    alone: deps.alone,
    rest: deps.rest,
    log,
  });
  const queueLookUp = (): Promise<void> =>
    queueRun(deps, jobs, queue).catch((error: unknown) =>
      log.warn({ err: error }, 'A picture look-up could not be queued'),
    );
  await queueLookUp();
  const timer = setInterval(() => deps.rest?.aborted || void queueLookUp(), everyMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await jobs.stop();
    },
  };
}

/** Every server queues every run. Runs of the same time slot have the same ID, so that only one is executed. */
function queueRun({ db, now }: AvatarDeps, jobs: Jobs, queue: Queue<object>): Promise<void> {
  const slot = Math.floor(now() / everyMs);
  const id = createHash('sha256').update(`avatars ${slot}`).digest('hex').slice(0, 32);
  return db.transaction().execute((tx) => jobs.enqueue(tx, queue, id, {}));
}

/**
 * `GET /api/avatars/{id}`: an account's picture, for that user and for administrators. Others do not learn whether it
 * exists. Access is checked before any 304. Source: SECURITY.md, S15, T50.
 */
export function avatarRoute(db: Db): FastifyPluginAsync {
  return async (scope) => {
    scope.get<{ Params: { id: string } }>(
      '/api/avatars/:id',
      { preHandler: requireRaw('signed-in') },
      async (request, reply) => {
        const { id } = request.params;
        const { account } = personOf(request.requestContext);
        const allowed = can(account, { do: 'avatars/view', accountId: id }, request.requestContext.builtInAdmins);
        if (!allowed.ok) return sendRefusal(reply, allowed.refusal);
        const found = /^[\w-]{1,64}$/.test(id) ? await readPicture(db, id) : undefined;
        if (!found) return sendRefusal(reply, { code: 'request/not-found' });
        reply.header('ETag', found.etag);
        if (request.headers['if-none-match']?.split(/,\s*/).includes(found.etag)) return reply.code(304).send();
        return reply.type(found.content_type).send(found.picture);
      },
    );
  };
}

type LookUpDeps = {
  readonly db: Db;
  readonly log: Log;
  readonly outside: AvatarSource;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** Concurrent look-ups. */
const batchSize = 5;
/** Users per run; the next run looks up the others. */
const maxPerRun = 250;

const dayMs = 24 * 3_600_000;
/** After a result, with or without a picture. */
const refreshAfterMs = 30 * dayMs;
/** After the service was unavailable. */
const retryAfterMs = dayMs;

/**
 * Looks up the pictures of the users who are due, {@link batchSize} at a time. If the service responds to none of a
 * batch, it is down: the run ends, stored pictures stay, and these users are due again after {@link retryAfterMs}.
 *
 * Can be repeated at any point: users already looked up are not due.
 */
export async function lookUpPictures(deps: LookUpDeps, signal: AbortSignal): Promise<void> {
  const { db, log, outside, now } = deps;
  const due = await dueAccounts(db, maxPerRun, now());
  for (let at = 0; at < due.length; at += batchSize) {
    const batch = due.slice(at, at + batchSize);
    const results = await Promise.all(batch.map((account) => findPicture(outside, account, signal)));
    // An aborted request reads as unavailable. When the server stops, nothing of this batch may be stored.
    signal.throwIfAborted();
    for (const [index, result] of results.entries()) await save(deps, batch[index]!, result);
    if (results.every((result) => result === 'unavailable')) {
      log.warn({ event: 'avatars', people: batch.length }, 'The avatar service is unavailable; retrying later');
      return;
    }
  }
  if (due.length > 0) log.info({ event: 'avatars', people: due.length }, 'Looked up pictures');
}

function save({ db, now }: LookUpDeps, account: DueAccount, result: LookUpResult): Promise<void> {
  const at = now();
  return saveResult(db, account, result, at, at + (result === 'unavailable' ? retryAfterMs : refreshAfterMs));
}

/** Twice the width of the largest avatar on screen. */
const pixels = 128;

/**
 * A user's picture: the one named by their identity provider, otherwise the one at the public avatar service.
 *
 * The service gets a hash of the email. Most people have no picture there, so a HEAD request comes first.
 *
 * Source: SECURITY.md, S15; the form of the URL: https://docs.gravatar.com/api/avatars/images/.
 */
async function findPicture(
  outside: AvatarSource,
  account: { readonly email: string; readonly photoUrl: string | null },
  signal: AbortSignal,
): Promise<LookUpResult> {
  const named = account.photoUrl && URL.canParse(account.photoUrl) ? new URL(account.photoUrl) : undefined;
  if (named && outside.photoOrigins.has(named.origin)) {
    const result = await fetchPicture(outside, named, signal);
    if (result !== 'none') return result;
  }
  const url = gravatarUrl(outside, account.email);
  const exists = await pictureExists(outside, url, signal);
  if (exists === 'unavailable') return 'unavailable';
  if (!exists) return 'none';
  return fetchPicture(outside, url, signal);
}

/** @param email in its stored form, lowercase and trimmed, which is also what the service hashes */
function gravatarUrl({ gravatar }: AvatarSource, email: string): URL {
  const hash = createHash('sha256').update(email).digest('hex');
  return new URL(`/avatar/${hash}?d=404&s=${pixels}`, gravatar);
}

/** A user whose picture is to be looked up. `photoUrl` is the one that their identity provider names, if any. */
type DueAccount = { readonly id: string; readonly email: string; readonly photoUrl: string | null };

/**
 * At most `limit` users whose picture is due at `now`, those never looked up first. Due are users whose
 * look-up time has come, or whose identity provider has named another picture since.
 *
 * Only approved users and those with a proven email are looked up. A stranger who signs up with another person's
 * address must not appear to an administrator with that person's face, and no address is sent outside before it is
 * proven or an administrator has approved the account.
 */
async function dueAccounts(db: Db, limit: number, now: number): Promise<DueAccount[]> {
  return db
    .selectFrom('accounts')
    .leftJoin('avatars', 'avatars.account_id', 'accounts.id')
    .select(['accounts.id', 'accounts.email', 'accounts.photo_url as photoUrl'])
    .where('accounts.migrated_to', 'is', null)
    .where('accounts.is_sample', '=', false)
    .where((e) => e.or([e('accounts.status', '=', 'approved'), e('accounts.email_proven_at', 'is not', null)]))
    .where((e) =>
      e.or([
        e('avatars.account_id', 'is', null),
        e('avatars.look_again_at', '<=', new Date(now)),
        e('avatars.asked_photo_url', 'is distinct from', e.ref('accounts.photo_url')),
      ]),
    )
    .orderBy('avatars.look_again_at', (order) => order.asc().nullsFirst())
    .orderBy('accounts.id')
    .limit(limit)
    .execute();
}

/**
 * Stores the result of a look-up if the account still exists, and notifies open pages of a changed picture. If the
 * service was unavailable, a stored picture stays.
 *
 * @param now when the look-up ended, in milliseconds since 1970
 * @param lookAgainAt when the account is due again, in milliseconds since 1970
 */
async function saveResult(
  db: Db,
  due: DueAccount,
  result: LookUpResult,
  now: number,
  lookAgainAt: number,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const account = await tx
      .selectFrom('accounts')
      .leftJoin('avatars', 'avatars.account_id', 'accounts.id')
      .select(['accounts.id', 'avatars.etag'])
      .where('accounts.id', '=', due.id)
      .forKeyShare('accounts')
      .executeTakeFirst();
    if (!account) return;
    const attempt = {
      looked_up_at: new Date(now),
      look_again_at: new Date(lookAgainAt),
      asked_photo_url: due.photoUrl,
    };
    const found = result === 'unavailable' ? undefined : columnsOf(result);
    await tx
      .insertInto('avatars')
      .values({ account_id: due.id, ...attempt, ...(found ?? noPicture) })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ ...attempt, ...found }))
      .execute();
    if (!found || found.etag === account.etag) return;
    await notify(tx, { about: 'session', accountId: due.id });
    await notify(tx, { about: 'accounts' });
  });
}

/** The columns of an account that was looked up and has no picture. */
const noPicture = { picture: null, content_type: null, etag: null };

function columnsOf(result: Exclude<LookUpResult, 'unavailable'>) {
  if (result === 'none') return noPicture;
  return { picture: result.bytes, content_type: result.type, etag: etagOf(result.bytes) };
}

/** A strong ETag: 27 characters of the hash, which are 162 bits. */
const etagOf = (bytes: Buffer): string => `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;

/** The stored picture, if there is one. An account that was migrated into another one has none. */
async function readPicture(db: Db, accountId: string) {
  return db
    .selectFrom('avatars')
    .innerJoin('accounts', 'accounts.id', 'avatars.account_id')
    .select(['picture', 'content_type', 'etag'])
    .where('account_id', '=', accountId)
    .where('picture', 'is not', null)
    .where('migrated_to', 'is', null)
    .$narrowType<{ picture: NotNull; content_type: NotNull; etag: NotNull }>()
    .executeTakeFirst();
}
