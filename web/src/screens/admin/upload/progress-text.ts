import { say } from '@kc/rules/messages';
import { progressFor, progressTexts } from '@kc/rules/upload';
import { isStalled, leftMs, rateOf } from '../../../api/transfer-rate.ts';
import type { FileTransfer, Transfer } from '../../../api/transfers.ts';
import { bytesText, durationText } from '../../../ui/number-text.ts';

/**
 * Amount sent, speed and remaining time: "412 MB of 1.2 GB · 18.4 MB/s · about 45 s left".
 *
 * @param nowMs of `performance.now()`
 */
export function transferText(transfer: FileTransfer, nowMs: number): string {
  const { state, share, totalBytes, samples, movingSinceMs } = transfer;
  const total = bytesText(totalBytes);
  if (state === 'reading') return `${total} received · ${Math.round(share * 100)}% read`;
  if (state !== 'receiving') return `${total} received`;
  const parts = [`${bytesText(Math.round(share * totalBytes))} of ${total}`];
  if (isStalled(samples, nowMs)) parts.push('waiting for an answer');
  const rate = rateOf(samples, nowMs);
  if (rate) parts.push(`${bytesText(rate)}/s`);
  const left = leftMs(samples, totalBytes, { nowMs, sinceMs: movingSinceMs });
  if (left !== undefined) parts.push(`about ${durationText(left)} left`);
  return parts.join(' · ');
}

/** Why the upload makes no progress; '' while it does. */
export function standstillText({ standstill }: Transfer): string {
  switch (standstill) {
    case 'paused':
      return 'Paused. What was sent is kept.';
    case 'lost':
      return say('upload/connection-lost');
    case 'signed-out':
      return `${say('upload/signed-out')}. Sign in again to resume it.`;
    default:
      return '';
  }
}

/** The text announced to screen readers: each tenth of the progress, and anything that stops it. */
export function announcementOf(transfer: FileTransfer): string {
  const percent = progressFor(transfer.state, transfer.share);
  const tenth = Math.floor(percent / 10) * 10;
  return standstillText(transfer) || `${progressTexts(percent).title} ${tenth}%`;
}
