import type { Refusal } from './result.ts';

/** The events that a webhook can subscribe to. */
export const webhookEvents = [
  'import.published',
  'import.waiting',
  'import.failed',
  'plan.changed',
  'user.pending',
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a delivery can contain: an event, or a test that an administrator requested. */
export const deliveredEvents = [...webhookEvents, 'test'] as const;
export type DeliveredEvent = (typeof deliveredEvents)[number];

/** `waiting`: will be tried, or retried. `failed`: will not be retried. */
export const deliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

/** Why an attempt got no response, as a code of the catalogue. */
export const deliveryFaults = [
  'webhook/unknown-host',
  'webhook/private',
  'webhook/port',
  'webhook/https',
  'webhook/unreachable',
  'webhook/certificate',
  'webhook/too-slow',
  'webhook/off',
] as const;
export type DeliveryFault = (typeof deliveryFaults)[number];

/** How many nodes of a level changed, as the panel “Changes” counts with its usual thresholds. */
type ChangeCounts = {
  readonly new: number;
  readonly gone: number;
  readonly moved: number;
  readonly volumeUp: number;
  readonly volumeDown: number;
};

/** What an upload changed, compared with the one before of the same data. */
export type ImportChanges = {
  /** The visualization before. */
  readonly since: string;
  readonly keywords: ChangeCounts;
  readonly clusters: ChangeCounts;
  /** Entries of the plan that are not in the upload, or whose branch has mostly other keywords now; absent without a plan. */
  readonly planEntries?: number;
};

/** Something that happened, as the part of the server reports it where it happened. Names and links are added when it is sent. */
export type News =
  | { readonly event: 'import.published'; readonly visualizationId: string; readonly changes?: ImportChanges }
  | {
      /** The list of a program is a draft that somebody has to publish. */
      readonly event: 'import.waiting';
      readonly draft: string;
      readonly name: string;
      readonly ownerId: string;
      readonly byId: string;
      /** Why it is not published automatically; empty if nobody requested that. */
      readonly reasons: readonly Refusal[];
    }
  | {
      readonly event: 'import.failed';
      /** The upload, and the draft that it was made of, or whose lists could not be read. */
      readonly upload?: string;
      readonly draft?: string;
      /** What people call the file or the lists. */
      readonly name: string;
      readonly ownerId: string;
      readonly byId: string;
      readonly reason: Refusal;
    }
  | {
      readonly event: 'plan.changed';
      readonly planId: string;
      readonly visualizationId: string;
      readonly byId: string;
      readonly revision: number;
      /** The entries that were changed, and how many of their fields. */
      readonly entries: readonly string[];
      readonly changes: number;
    }
  | { readonly event: 'user.pending'; readonly accountId: string };

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;

/** The pauses after an attempt has failed; the last one repeats. */
const pauses = [
  10 * secondMs,
  30 * secondMs,
  minuteMs,
  2 * minuteMs,
  5 * minuteMs,
  15 * minuteMs,
  30 * minuteMs,
  hourMs,
];

/** Milliseconds until a delivery is tried again. @param attempts that have failed, from 1 */
export const pauseAfter = (attempts: number): number => pauses[Math.min(attempts, pauses.length) - 1]!;
