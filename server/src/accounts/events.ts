import { randomUUID } from 'node:crypto';
import { can } from '@kc/rules/access';
import { isAdmin } from '@kc/rules/account';
import type { FastifyPluginAsync } from 'fastify';
import { sql } from 'kysely';
import type { Notification } from '../database/notifications.ts';
import { countOf, type Db, inTransaction, type Queryable } from '../database/open.ts';
import { beginEvents, type EventWriter, openStreams } from '../http/event-stream.ts';
import { sendRefusal } from '../http/refusals.ts';
import { type Change, type ChangeTimes, changes } from './change-times.ts';
import type { AccountDeps } from './deps.ts';
import { type Person, personOf, requireRaw } from './require.ts';
import { readSessionById } from './sessions.ts';

/**
 * `/api/events`: server-sent events for a signed-in user. `session`: their own role or status changed. For approved
 * users also `visualizations`, `drafts`, `plans` and `settings`, for administrators `accounts` (the list changed). Events
 * carry nothing but their time; the page fetches again. The first event, `opened`, carries the times of the last changes,
 * so that the page fetches only what has changed since it was read: see {@link ChangeTimes}.
 *
 * The session is read again at every notification about it and at every heartbeat. A stream whose session has ended is
 * closed. Source: SECURITY.md, SEC-04.
 */
export function eventRoutes(deps: AccountDeps, times: ChangeTimes): FastifyPluginAsync {
  return async (scope) => {
    const stop = times.on((notification, at) => {
      for (const stream of streams) void stream.handle(notification, at);
    });
    const { streams, keep } = openStreams<Stream>(scope, stop);
    scope.get('/api/events', { preHandler: requireRaw('signed-in') }, async (request, reply) => {
      const id = randomUUID();
      const person = personOf(request.requestContext);
      if (!(await openStream(deps.db, id, person.account.id, deps.now()))) {
        return sendRefusal(reply, { code: 'sign-in/too-many', params: { seconds: 60 } });
      }
      const stream = createStream(deps, times, id, person, beginEvents(reply));
      // At one moment: a change is either among the times or comes as an event.
      stream.begin();
      await keep(reply, stream);
    });
  };
}

type Stream = {
  /** Sends the times of the last changes that this person may be notified of. */
  begin(): void;
  handle(notification: Notification, at: number): Promise<void>;
  /** Reads the session again, and ends the stream if the session is over. */
  look(): Promise<void>;
  end(): Promise<void>;
};

function createStream(
  deps: AccountDeps,
  times: ChangeTimes,
  id: string,
  opened: Person,
  response: EventWriter,
): Stream {
  let person = opened;
  /** Whether `person` matches the database. False from a notification until the session has been read again. */
  let isCurrent = false;
  let ended = false;
  let turn = Promise.resolve();

  const mayReceive = (event: Change): boolean => {
    const { builtInAdmins } = deps.config;
    if (event === 'accounts') return isAdmin(person.account, builtInAdmins);
    return event === 'session' || can(person.account, { do: 'visualizations/use' }, builtInAdmins).ok;
  };
  const write = (event: Change | 'opened', data: object): void =>
    response.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  const send = (event: Change, at: number): void => {
    if (mayReceive(event)) write(event, { at });
  };
  /** The account whose changes are reported; undefined for those that concern everybody, or of all accounts. */
  const accountOf = (event: Change): string | undefined => {
    if (event === 'settings' || event === 'accounts' || (event === 'plans' && receivesAllPlans())) return undefined;
    return opened.account.id;
  };
  /** Administrators look at the plans of others, so they are notified of every plan. */
  const receivesAllPlans = (): boolean => isAdmin(person.account, deps.config.builtInAdmins);
  /** Whether the session is still valid; ends the stream if not. */
  const look = async (): Promise<boolean> => {
    isCurrent = false;
    const found = await readSessionById(deps.db, opened.sessionId, deps.now());
    if (found) person = found;
    else await stream.end();
    isCurrent = found !== undefined;
    return isCurrent;
  };
  const beat = async (): Promise<void> => {
    if (!(await look())) return;
    await streamIsAlive(deps.db, id, deps.now());
    response.write(': alive\n\n');
  };
  /** Whether a notification can concern this person. {@link mayReceive} decides what is sent. */
  const concerns = (notification: Notification): boolean =>
    !('accountId' in notification) ||
    notification.accountId === opened.account.id ||
    (notification.about === 'plans' && receivesAllPlans());
  const react = async (notification: Notification, at: number): Promise<void> => {
    const { about } = notification;
    // Links have streams of their own.
    if (ended || about === 'links' || !concerns(notification)) return;
    const affectsSession = about === 'session' || about === 'missed';
    if ((affectsSession || !isCurrent) && !(await look())) return;
    for (const event of about === 'missed' ? changes : [about]) send(event, at);
  };
  // A database that is briefly unavailable costs a heartbeat, not the stream.
  const guarded = (work: Promise<unknown>, otherwise?: () => Promise<void>): Promise<void> =>
    work.then(
      () => undefined,
      async (error: unknown) => {
        deps.log.warn({ err: error }, 'An event stream could not read its session');
        await otherwise?.();
      },
    );
  const heart = setInterval(() => void guarded(beat()), heartbeatMs);

  const stream: Stream = {
    // One at a time: a right lost in one notification must apply before the next one is sent.
    begin() {
      const changed = changes.filter(mayReceive).map((event) => [event, times.last(event, accountOf(event))]);
      write('opened', { server: times.server, at: times.now(), changed: Object.fromEntries(changed) });
    },
    handle(notification, at) {
      // An event that could not be sent would be missed: the page opens another stream, which reports the change.
      turn = turn.then(() => guarded(react(notification, at), () => stream.end()));
      return turn;
    },
    look() {
      turn = turn.then(() => guarded(look()));
      return turn;
    },
    async end() {
      if (ended) return;
      ended = true;
      clearInterval(heart);
      response.end();
      await guarded(closeStream(deps.db, id));
    },
  };
  return stream;
}

/** Interval at which an open stream reports that it is alive, to its browser and to the database. */
export const heartbeatMs = 25_000;
/** A stream not seen for this long ended with its server. */
const deadAfterMs = 3 * heartbeatMs;
/** Streams per user, one per tab; more are refused. */
const maxStreams = 20;

/**
 * Records an open stream. Runs one at a time per user, so that simultaneous requests cannot exceed the limit.
 *
 * @returns `false` if this user has too many already
 */
export async function openStream(db: Db, id: string, accountId: string, now: number): Promise<boolean> {
  await db
    .deleteFrom('event_streams')
    .where('seen_at', '<', new Date(now - deadAfterMs))
    .execute();
  return inTransaction(db, async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`streams: ${accountId}`}))`.execute(tx);
    const open = tx.selectFrom('event_streams').where('account_id', '=', accountId);
    if ((await countOf(open)) >= maxStreams) return false;
    await tx
      .insertInto('event_streams')
      .values({ id, account_id: accountId, seen_at: new Date(now) })
      .execute();
    return true;
  });
}

async function streamIsAlive(db: Queryable, id: string, now: number): Promise<void> {
  await db
    .updateTable('event_streams')
    .set({ seen_at: new Date(now) })
    .where('id', '=', id)
    .execute();
}

export async function closeStream(db: Queryable, id: string): Promise<void> {
  await db.deleteFrom('event_streams').where('id', '=', id).execute();
}

/** All users with an open stream, on any replica. */
export async function onlineAccounts(db: Queryable, now: number): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('event_streams')
    .select('account_id')
    .distinct()
    .where('seen_at', '>', new Date(now - deadAfterMs))
    .execute();
  return new Set(rows.map((row) => row.account_id));
}
