import { recordStep } from '../upload/upload-queries.ts';
import type { FinishDeps } from './finish-upload.ts';

export type ReadingProgress = {
  /** @param share of the file that has been read, 0 to 1 */
  report(share: number): void;
  settled(): Promise<void>;
};

/**
 * Records how much of an upload has been read, one write at a time. Reports during a write are dropped; the next one is
 * more recent.
 *
 * @param onGone called if the upload no longer exists
 */
export function readingProgress(
  { activation, log, now }: FinishDeps,
  uploadId: string,
  onGone: () => void,
): ReadingProgress {
  let writing: Promise<void> | undefined;
  return {
    report(share) {
      writing ??= recordStep(activation.db, uploadId, 'reading', share, new Date(now()))
        .then((isThere) => {
          if (!isThere) onGone();
        })
        .catch((error: unknown) => log.warn({ err: error }, 'Progress could not be recorded'))
        .finally(() => {
          writing = undefined;
        });
    },
    settled: async () => writing,
  };
}
