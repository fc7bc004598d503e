import type { OpenUpload } from '@kc/rules/shapes';

/** How an upload stands that is no visualization; what this tab sends has a card of its own. */
export function openUploadWords({ state, share, isSending }: OpenUpload): {
  readonly is: 'stopped' | 'moving' | 'failed';
  readonly label: string;
} {
  const percent = `${Math.floor(share * 100)}%`;
  if (state === 'failed') return { is: 'failed', label: 'Failed' };
  if (state !== 'receiving') return { is: 'moving', label: 'Processing' };
  return isSending ? { is: 'moving', label: `${percent} sent` } : { is: 'stopped', label: `Stopped at ${percent}` };
}
