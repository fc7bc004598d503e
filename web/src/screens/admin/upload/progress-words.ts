import { leftMs, rateOf } from '../../../api/transfer-rate.ts';
import type { Transfer } from '../../../api/uploads.ts';
import { bytesText, durationText } from '../../../ui/quantity.ts';

/** How much is sent, how fast and for how long still: "412 MB of 1.2 GB · 18.4 MB/s · about 45 s left". */
export function transferText(transfer: Transfer): string {
  const last = transfer.samples.at(-1);
  const parts = [`${bytesText(last?.bytes ?? 0)} of ${bytesText(transfer.totalBytes)}`];
  const rate = rateOf(transfer.samples);
  if (rate) parts.push(`${bytesText(rate)}/s`);
  const left = last && leftMs(transfer.samples, transfer.totalBytes, last.atMs - transfer.startedAtMs);
  if (left !== undefined) parts.push(`about ${durationText(left)} left`);
  return parts.join(' · ');
}
