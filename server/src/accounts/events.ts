import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { isAdmin } from '@kc/rules/account';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import type { Notification } from '../database/notifications.ts';
import { sendRefusal } from '../http/refusals.ts';
import { closeStream, heartbeatMs, openStream, streamIsAlive } from './event-streams.ts';
import type { AccountParts } from './parts.ts';
import { type Person, personOf, requireRaw } from './require.ts';
import { readSession } from './sessions.ts';

/**
 * `/api/events`: server-sent events for one signed-in person. `session`: their own role or status changed.
 * `visualizations`: theirs changed. `settings`: the settings changed. `accounts`, to admins: the list changed. They carry no data; the page asks anew.
 *
 * Whenever the person's session is told of, and at every heartbeat, it is read again; a stream whose session has ended
 * is closed. Source: decisions §2.4–5, security SEC-04.
 */
export function eventRoutes(parts: AccountParts): FastifyPluginAsync {
  return async (scope) => {
    const streams = new Set<Stream>();
    const stop = parts.listener.on((notification) => {
      for (const stream of streams) void stream.hear(notification);
    });
    scope.addHook('preClose', async () => {
      stop();
      await Promise.all([...streams].map((stream) => stream.end()));
    });
    scope.get('/api/events', { preHandler: requireRaw('signed-in') }, async (request, reply) => {
      const id = randomUUID();
      const person = personOf(request.asking);
      if (!(await openStream(parts.db, id, person.account.id, parts.now()))) {
        return sendRefusal(reply, { code: 'sign-in/too-many', params: { seconds: 60 } });
      }
      const stream = createStream(parts, id, person, request, beginStream(reply));
      streams.add(stream);
      request.raw.once('close', () => {
        streams.delete(stream);
        void stream.end();
      });
    });
  };
}

/** Takes the response out of Fastify's hands, headers and all. */
function beginStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const headers = { ...reply.getHeaders(), 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
  reply.raw.writeHead(200, headers as Record<string, string>);
  reply.raw.write('retry: 2000\n\n');
  return reply.raw;
}

type Stream = { hear(notification: Notification): Promise<void>; end(): Promise<void> };

function createStream(
  parts: AccountParts,
  id: string,
  opened: Person,
  request: FastifyRequest,
  response: ServerResponse,
): Stream {
  let person = opened;
  let ended = false;
  const { token } = request.asking;
  const send = (event: Notification['about']): void => {
    if (!response.writableEnded) response.write(`event: ${event}\ndata: {}\n\n`);
  };

  /** Whether the session still lives; ends the stream if not. */
  const look = async (): Promise<boolean> => {
    const found = token ? await readSession(parts.db, token, parts.now()) : undefined;
    if (found) person = found;
    else await stream.end();
    return found !== undefined;
  };
  const beat = async (): Promise<void> => {
    if (!(await look())) return;
    await streamIsAlive(parts.db, id, parts.now());
    if (!response.writableEnded) response.write(': alive\n\n');
  };
  // A database that is away for a moment costs a beat, not the stream.
  const guarded = (work: Promise<unknown>): Promise<void> =>
    work.then(
      () => undefined,
      (error: unknown) => parts.log.warn({ err: error }, 'An event stream could not ask the database'),
    );
  const heart = setInterval(() => void guarded(beat()), heartbeatMs);

  const stream: Stream = {
    async hear(notification) {
      if (notification.about === 'accounts') {
        if (isAdmin(person.account, parts.config.builtInAdmins)) send('accounts');
      } else if (notification.about === 'settings') {
        send('settings');
      } else if (notification.accountId === person.account.id) {
        if (notification.about === 'session') {
          await guarded(look().then((lives) => lives && send('session')));
        } else {
          send(notification.about);
        }
      }
    },
    async end() {
      if (ended) return;
      ended = true;
      clearInterval(heart);
      response.end();
      await guarded(closeStream(parts.db, id));
    },
  };
  return stream;
}
