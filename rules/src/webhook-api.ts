import * as z from 'zod/mini';
import { route } from './contract-call.ts';
import { limits } from './limits.ts';
import { id } from './shapes.ts';
import { storableText } from './text-shapes.ts';
import { deliveredEvents, deliveryFaults, deliveryStates, webhookEvents } from './webhook.ts';

/** Milliseconds since 1970, UTC. */
const time = z.number();
const events = z.array(z.enum(webhookEvents)).check(z.minLength(1), z.maxLength(webhookEvents.length));

/** A webhook as administrators see it: without its secret. */
const listedWebhook = z.object({
  id,
  url: z.string(),
  events,
  madeAt: time,
  /** Absent while it is on. `failures`: no delivery had succeeded for a day. */
  off: z.optional(z.object({ at: time, because: z.enum(['person', 'failures']) })),
  /** Since when no delivery has succeeded, if the last ones failed. */
  failingSince: z.optional(time),
});
export type ListedWebhook = z.infer<typeof listedWebhook>;

/** One event, or test, and how it was sent. */
const listedDelivery = z.object({
  /** The same at each attempt, so that a receiver can recognise a delivery that it already has. */
  id,
  event: z.enum(deliveredEvents),
  at: time,
  state: z.enum(deliveryStates),
  attempts: z.number(),
  /** Of the last attempt: when it was, and the HTTP status, or why there was none. */
  lastAt: z.optional(time),
  status: z.optional(z.number()),
  fault: z.optional(z.enum(deliveryFaults)),
  /** When it is tried next. */
  nextAt: z.optional(time),
});
export type ListedDelivery = z.infer<typeof listedDelivery>;

const ofOne = z.strictObject({ id });

/** Addresses of other programs that are notified of events. */
export const webhooks = {
  /** The response is the only one that ever contains the secret. No token may do this: the webhook would outlive it. */
  make: route('POST', '/webhooks', { who: 'admin' })
    .input(z.strictObject({ url: storableText({ max: limits.maxWebhookUrlLength }), events }))
    .output(z.extend(listedWebhook, { secret: z.string() })),
  /** All webhooks, the newest first. */
  list: route('GET', '/webhooks', { who: 'admin', scope: 'admin' }).output(z.array(listedWebhook)),
  /** Switches a webhook on or off. Events that happen while it is off are not sent. */
  set: route('PUT', '/webhooks/{id}', { who: 'admin', scope: 'admin' })
    .input(z.strictObject({ id, isOn: z.boolean() }))
    .output(listedWebhook),
  remove: route('DELETE', '/webhooks/{id}', { who: 'admin', scope: 'admin' }).input(ofOne).output(z.object({ id })),
  /** The last deliveries, at most 100, the newest first. */
  deliveries: route('GET', '/webhooks/{id}/deliveries', { who: 'admin', scope: 'admin' })
    .input(z.object({ id }))
    .output(z.array(listedDelivery)),
  /** Sends a test at once, also if the webhook is off. Tests are tried once. */
  test: route('POST', '/webhooks/{id}/test', { who: 'admin', scope: 'admin' }).input(ofOne).output(listedDelivery),
  /** Sends a delivery again, once and at once, with the ID that it had. */
  sendAgain: route('POST', '/webhooks/{id}/deliveries/{delivery}/again', { who: 'admin', scope: 'admin' })
    .input(z.strictObject({ id, delivery: id }))
    .output(listedDelivery),
};
