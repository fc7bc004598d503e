import type { Visitor } from '@kc/rules/link';
import { done, type Result } from '@kc/rules/result';
import Fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import type { RequestContext } from '../accounts/require.ts';
import type { Notification } from '../database/notifications.ts';
import { createLog } from '../log.ts';
import { linkEventRoutes } from './link-routes.ts';

const visitor: Visitor = {
  ...{ linkId: 'link', kind: 'colleague', visualizationId: 'shop' },
  ...{ withPlan: true, mayEditPlan: false, withDownloads: false, columns: undefined },
  ...{ accountId: 'bob', dependsOn: ['ann', 'bob'] },
};

/**
 * The stream of a link as its page receives it.
 *
 * @param read reads the link again, as each announcement asks for
 */
async function openStream(read: () => Promise<Result<Visitor>> = async () => done(visitor)) {
  const handlers = new Set<(notification: Notification) => void>();
  const app = Fastify();
  onTestFinished(() => app.close());
  app.decorateRequest('requestContext');
  app.addHook('onRequest', async (request) => {
    request.requestContext = { visitor: done(visitor), readVisitorAgain: () => read() } as unknown as RequestContext;
  });
  const listener = {
    on(handler: (notification: Notification) => void) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
  await app.register(linkEventRoutes({ listener, log: createLog('ERROR') }));
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const { body } = await fetch(`${address}/api/shared/link/events`);
  let heard = '';
  const ended = body!.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(text) {
        heard += text;
      },
    }),
  );
  return {
    announce: (notification: Notification) => handlers.forEach((handle) => void handle(notification)),
    plans: () => heard.split('event: plans').length - 1,
    ended,
  };
}

test('a page hears that the plan has changed, and also that announcements were missed', async () => {
  const { announce, plans } = await openStream();
  announce({ about: 'plans', accountId: 'somebody else' });
  announce({ about: 'plans', accountId: 'ann' });
  await expect.poll(plans).toBe(1);
  announce({ about: 'missed' });
  await expect.poll(plans).toBe(2);
});

test('a stream that cannot read its link after a change ends, so that its page opens another and reads again', async () => {
  let isAway = false;
  const { announce, plans, ended } = await openStream(async () => {
    if (isAway) throw new Error('no database');
    return done(visitor);
  });
  announce({ about: 'plans', accountId: 'ann' });
  await expect.poll(plans).toBe(1);
  isAway = true;
  announce({ about: 'plans', accountId: 'ann' });
  await ended;
  expect(plans()).toBe(1);
});
