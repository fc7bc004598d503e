import type { DeliveredEvent, DeliveryFault, DeliveryState, WebhookEvent } from '@kc/rules/webhook';
import type { Defaulted, Json, Optional, OptionalTime, Time } from './column-types.ts';

/** An address to which events are sent. Its secret is computed: see `webhooks/send-deliveries.ts`. */
export type WebhookRow = {
  id: string;
  url: string;
  events: WebhookEvent[];
  made_at: Time;
  /** Null while it is on. */
  off_at: OptionalTime;
  off_because: Optional<'person' | 'failures'>;
  /** The first failure since the last success, but for what was sent by hand. */
  failing_since: OptionalTime;
};

/** An event for a webhook, written in the transaction in which it happens. */
export type DeliveryRow = {
  id: string;
  webhook_id: string;
  event: DeliveredEvent;
  /** What it is about, if later events about the same are joined to it as long as it was not sent. */
  subject: Optional<string>;
  data: Json<Readonly<Record<string, unknown>>>;
  made_at: Time;
  state: Defaulted<DeliveryState>;
  /** A test, or sent again by somebody: tried once, also while the webhook is off. */
  is_by_hand: Defaulted<boolean>;
  /** Not tried before. */
  next_at: Time;
  attempts: Defaulted<number>;
  /** When the first attempt failed. */
  failed_at: OptionalTime;
  /** Of the last attempt. */
  last_at: OptionalTime;
  status: Optional<number>;
  fault: Optional<DeliveryFault>;
};

export type WebhookTables = {
  webhooks: WebhookRow;
  webhook_deliveries: DeliveryRow;
};
