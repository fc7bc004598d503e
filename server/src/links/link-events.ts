import type { Visitor } from '@kc/rules/link';
import type { FastifyPluginAsync, FastifyRequest } from 'fastify';
import { requireLink, visitorOf } from '../accounts/require.ts';
import type { Listener, Notification } from '../database/notifications.ts';
import { beginEvents, type EventWriter, openStreams } from '../http/event-stream.ts';
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
    const stop = listener.on((notification) => {
      for (const stream of streams) stream.hear(notification);
    });
    const { streams, keep } = openStreams<Stream>(scope, stop);
    const options = { preHandler: requireLink('explore'), exposeHeadRoute: false };
    scope.get<ById>('/api/shared/:id/events', options, async (request, reply) => {
      const { id } = request.params;
      if ([...streams].filter((one) => one.linkId === id).length >= maxStreams) {
        return sendRefusal(reply, { code: 'link/too-many', params: { seconds: 60 } });
      }
      await keep(reply, createStream(id, request, beginEvents(reply), log));
    });
  };
}

type Stream = { readonly linkId: string; hear(notification: Notification): void; look(): void; end(): void };

function createStream(
  linkId: string,
  { requestContext: context }: FastifyRequest,
  response: EventWriter,
  log: Log,
): Stream {
  const opened = visitorOf(context);
  let isOver = false;
  const check = async (then: string): Promise<void> => {
    const visitor = await context.readVisitorAgain();
    if (isOver) return;
    if (visitor.ok) return response.write(then);
    response.write(`event: ended\ndata: ${JSON.stringify({ code: visitor.refusal.code })}\n\n`);
    stream.end();
  };
  // A database that is briefly unavailable costs a heartbeat, not the stream.
  const guarded = (then: string, otherwise?: () => void): void =>
    void check(then).catch((error: unknown) => {
      log.warn({ err: error }, 'A stream could not read its link');
      otherwise?.();
    });
  const heart = setInterval(() => guarded(': alive\n\n'), heartbeatMs);
  const stream: Stream = {
    linkId,
    hear(notification) {
      if (isOver || !concerns(notification, opened)) return;
      const isPlan = (notification.about === 'plans' || notification.about === 'missed') && opened?.withPlan;
      // An event that could not be sent would be missed: the page opens another stream, and reads again.
      guarded(isPlan ? 'event: plans\ndata: {}\n\n' : '', stream.end);
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
