import type { Log } from '../../log.ts';

/**
 * How an attempt to read an upload ended. `active`: it became a visualization. `refused`: the file was judged, and the
 * upload has failed. `dropped`: the upload was cancelled or settled elsewhere. `interrupted`: nothing is wrong with the
 * file, and it is read again from the start.
 */
export type AttemptEnd = 'active' | 'refused' | 'dropped' | 'interrupted';

export type AttemptLog = {
  /** @param number of the attempt, from 1; absent while the file is still arriving */
  began(number?: number): void;
  /** @param reason a code, or a sentence for readers of the log */
  ended(how: AttemptEnd, reason?: string): void;
};

/**
 * Writes one log line when an attempt begins and one when it ends. Reading a large file twice costs minutes, so a
 * restart and its reason must be visible.
 *
 * @param upload its ID
 */
export function attemptLog(log: Log, upload: string, when: 'while it arrives' | 'after its last byte'): AttemptLog {
  return {
    began: (number) =>
      log.info({ event: 'upload-reading-began', upload, when, attempt: number }, 'Started reading an upload'),
    ended(how, reason) {
      const line = { event: 'upload-reading-ended', upload, when, how, reason };
      if (how === 'interrupted')
        log.warn(line, 'Reading an upload was interrupted; it will be read again from the start');
      else log.info(line, 'Finished reading an upload');
    },
  };
}
