import type { ServerResponse } from 'node:http';
import type { Visitor } from '@kc/rules/link';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { requireLink, visitorOf } from '../accounts/require.ts';
import type { Listener, Notification } from '../database/notifications.ts';
import { sendRefusal } from '../http/refusals.ts';
import type { Log } from '../log.ts';

export type LinkEventDeps = { readonly listener: Pick<Listener, 'on'>; readonly log: Log };

type ById = { Params: { id: string } };

/** Interval at which an open stream reads its link again, because nothing announces the end of its time. */
const heartbeatMs = 25_000;
/** Streams of one link on this server. */
const maxStreams = 100;

/**
 * `/api/shared/{id}/events`: server-sent events for the visitors of a link. `ended`: the link does not work any more, with the
 * code of the reason as data; the stream then closes. `plans`: the plan may have changed.
 *
 * Whatever is announced that could end the link, each stream reads it again. Source: SECURITY.md, SEC-04.
 */
export function linkEventRoutes({ listener, log }: LinkEventDeps): FastifyPluginAsync {
  return async (scope) => {
    const streams = new Map<Stream, string>();
    const stop = listener.on((notification) => {
      for (const stream of streams.keys()) stream.hear(notification);
    });
    scope.addHook('preClose', async () => {
      stop();
      for (const stream of streams.keys()) stream.end();
    });
    const options = { preHandler: requireLink('explore'), exposeHeadRoute: false };
    scope.get<ById>('/api/shared/:id/events', options, async (request, reply) => {
      const { id } = request.params;
      if ([...streams.values()].filter((one) => one === id).length >= maxStreams) {
        return sendRefusal(reply, { code: 'link/too-many', params: { seconds: 60 } });
      }
      const stream = createStream(request, beginStream(reply), log);
      streams.set(stream, id);
      const close = (): void => {
        streams.delete(stream);
        stream.end();
      };
      reply.raw.once('close', close);
      if (reply.raw.destroyed) close();
      // Between the request and this point the link may have ended.
      else stream.look();
    });
  };
}

function beginStream(reply: FastifyReply): ServerResponse {
  reply.hijack();
  const headers = { ...reply.getHeaders(), 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' };
  reply.raw.writeHead(200, headers as Record<string, string>);
  reply.raw.write('retry: 2000\n\n');
  return reply.raw;
}

type Stream = { hear(notification: Notification): void; look(): void; end(): void };

function createStream({ requestContext: context }: FastifyRequest, response: ServerResponse, log: Log): Stream {
  const opened = visitorOf(context);
  let isOver = false;
  const send = (text: string): void => {
    if (!response.writableEnded) response.write(text);
  };
  const check = async (then: string): Promise<void> => {
    const visitor = await context.readVisitorAgain();
    if (isOver) return;
    if (visitor.ok) return send(then);
    send(`event: ended\ndata: ${JSON.stringify({ code: visitor.refusal.code })}\n\n`);
    stream.end();
  };
  // A database that is briefly unavailable costs a heartbeat, not the stream.
  const guarded = (then: string): void =>
    void check(then).catch((error: unknown) => log.warn({ err: error }, 'A stream could not read its link'));
  const heart = setInterval(() => guarded(': alive\n\n'), heartbeatMs);
  const stream: Stream = {
    hear(notification) {
      if (isOver || !concerns(notification, opened)) return;
      guarded(notification.about === 'plans' && opened?.withPlan ? 'event: plans\ndata: {}\n\n' : '');
    },
    look: () => guarded(''),
    end() {
      if (isOver) return;
      isOver = true;
      clearInterval(heart);
      response.end();
    },
  };
  return stream;
}

/** Whether an announcement may mean that the link has ended, or that what it shows has changed. */
function concerns(notification: Notification, visitor: Visitor | undefined): boolean {
  if (notification.about === 'links') return notification.linkId === visitor?.linkId;
  if (notification.about === 'accounts' || notification.about === 'drafts') return false;
  return !('accountId' in notification) || (visitor?.dependsOn.includes(notification.accountId) ?? false);
}
