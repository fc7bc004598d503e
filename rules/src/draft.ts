/**
 * The state of a draft. `receiving` until the last byte of its last list is durable, `queued` while it waits, `working`
 * while it is clustered, `ready` once it can be looked at and edited, `publishing` while its map is being ingested.
 * `stopped` by a person, `failed` by its lists or by faults of the machine: both can be started again.
 */
export const draftStates = [
  'receiving',
  'queued',
  'working',
  'ready',
  'stopped',
  'failed',
  'publishing',
  'published',
] as const;
export type DraftState = (typeof draftStates)[number];

/** What a draft was created from. */
export const draftOrigins = ['lists', 'visualization'] as const;
export type DraftOrigin = (typeof draftOrigins)[number];

/** The steps between the last byte and the draft, in order. A grouped list needs only the first two and the last. */
export const draftStages = ['read', 'variants', 'meaning', 'neighbours', 'clusters', 'names', 'write'] as const;
export type DraftStage = (typeof draftStages)[number];

/**
 * The percentage shown for a draft: 10 once it is created, up to 60 while its lists are received, up to 100 while they
 * are clustered. Publishing is like the second half of an upload.
 *
 * @param received share of the bytes, 0 to 1
 * @param share of the work of clustering, or of what is published, 0 to 1
 */
export function draftPercent(
  state: DraftState,
  { received = 0, share = 0 }: { readonly received?: number; readonly share?: number },
): number {
  if (state === 'receiving') return Math.round(10 + 50 * within(received));
  if (state === 'queued') return 60;
  if (state === 'working' || state === 'publishing') return Math.round(60 + 40 * within(share));
  return state === 'stopped' || state === 'failed' ? 0 : 100;
}

const within = (share: number): number => Math.min(1, Math.max(0, share));

/** States that a person can start again. */
export const canStart = (state: DraftState): boolean => state === 'stopped' || state === 'failed';

/** States that a person can stop. */
export const canStop = (state: DraftState): boolean => state === 'queued' || state === 'working';
