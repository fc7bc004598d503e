import type { OpenUpload } from '@kc/rules/shapes';

/**
 * How an upload stands that is no visualization. One's own that is being received is stopped: what this browser sends
 * has a card of its own, and whoever sends from another one is told there.
 */
export function openUploadWords({ state, share, isYours }: OpenUpload): {
  readonly is: 'stopped' | 'moving' | 'failed';
  readonly label: string;
} {
  const percent = `${Math.floor(share * 100)}%`;
  if (state === 'failed') return { is: 'failed', label: 'Failed' };
  if (state !== 'receiving') return { is: 'moving', label: 'Processing' };
  return isYours ? { is: 'stopped', label: `Stopped at ${percent}` } : { is: 'moving', label: `${percent} sent` };
}
