import { createHash } from 'node:crypto';
import { can } from '@kc/rules/access';
import type { FastifyPluginAsync } from 'fastify';
import type pg from 'pg';
import { personOf, requireRaw } from '../accounts/require.ts';
import type { Config } from '../config.ts';
import type { Db } from '../database/open.ts';
import { sendRefusal } from '../http/refusals.ts';
import { type Jobs, type Queue, startJobs } from '../jobs/jobs.ts';
import { gravatarSource } from './gravatar.ts';
import { type LookUpDeps, lookUpPictures, readPicture } from './look-up-avatars.ts';

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
  const ask = (): Promise<void> =>
    queueRun(deps, jobs, queue).catch((error: unknown) =>
      log.warn({ err: error }, 'A picture look-up could not be queued'),
    );
  await ask();
  const timer = setInterval(() => deps.rest?.aborted || void ask(), everyMs).unref();
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
