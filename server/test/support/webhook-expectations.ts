import { randomUUID } from 'node:crypto';
import type { WebhookEvent } from '@kc/rules/webhook';
import { nothing } from './route-parts.ts';
import type { Expectation } from './routes.ts';
import type { TestServer } from './server.ts';

type Given = { readonly url?: string; readonly events?: readonly WebhookEvent[] };

/** Stores a webhook, of failed imports without anything else. @returns its ID */
export async function giveWebhook(
  { database: { db }, clock }: Pick<TestServer, 'database' | 'clock'>,
  { url = 'https://hooks.example.com/kc', events = ['import.failed'] }: Given = {},
): Promise<string> {
  const id = randomUUID();
  await db
    .insertInto('webhooks')
    .values({ id, url, events: [...events], made_at: new Date(clock) })
    .execute();
  return id;
}

const ofWebhook = { who: 'admin', names: 'webhook', ask: nothing, refused: { missing: 'webhook/not-found' } } as const;

/** The expectations for the calls about webhooks. */
export const webhookExpectations: Readonly<Record<string, Expectation>> = {
  'POST /api/webhooks': {
    who: 'admin',
    async ask({ server }) {
      // There may be only so many, and callers of every kind make one.
      await server.database.db.deleteFrom('webhooks').execute();
      // An address that needs no resolver, and no other server.
      return { body: { url: 'https://[2606:4700::1111]/kc', events: ['user.pending'] } };
    },
    answer: 200,
  },
  'GET /api/webhooks': { who: 'admin', ask: nothing, answer: 200 },
  'PUT /api/webhooks/{id}': { ...ofWebhook, ask: () => ({ body: { isOn: false } }), answer: 200 },
  'DELETE /api/webhooks/{id}': { ...ofWebhook, answer: 200 },
  'GET /api/webhooks/{id}/deliveries': { ...ofWebhook, answer: 200 },
  'POST /api/webhooks/{id}/test': { ...ofWebhook, answer: 200 },
  'POST /api/webhooks/{id}/deliveries/{delivery}/again': { ...ofWebhook, answer: 'webhook/delivery-not-found' },
};
