import { recordStep } from '../upload/upload-queries.ts';
import type { FinishDeps } from './finish-upload.ts';

export type ReadingProgress = {
  /** @param share of the file read, 0 to 1 */
  report(share: number): void;
  settled(): Promise<void>;
};

/**
 * Records how much of an upload was read, one write at a time: what comes meanwhile is dropped, the next one says more.
 *
 * @param onGone called when there is no such upload any more
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
