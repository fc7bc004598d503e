import type { Log } from '../../log.ts';

/**
 * How an attempt to read an upload ended. `active`: it became a visualization. `refused`: there is a verdict, and the
 * upload has failed. `dropped`: the upload was cancelled, or somebody else settled it. `interrupted`: nothing is wrong
 * with the file, and it is read again from its beginning.
 */
export type AttemptEnd = 'active' | 'refused' | 'dropped' | 'interrupted';

export type AttemptLog = {
  /** @param number of the attempt, from 1; left out while the file is still arriving */
  began(number?: number): void;
  /** @param reason a code, or a sentence for whoever reads the log */
  ended(how: AttemptEnd, reason?: string): void;
};

/**
 * One log line when an attempt begins and one when it ends. Reading a large file twice costs minutes, so a restart must
 * be visible, and so must its reason.
 *
 * @param upload its id
 */
export function attemptLog(log: Log, upload: string, when: 'while it arrives' | 'after its last byte'): AttemptLog {
  return {
    began: (number) =>
      log.info({ event: 'upload-reading-began', upload, when, attempt: number }, 'Began to read an upload'),
    ended(how, reason) {
      const line = { event: 'upload-reading-ended', upload, when, how, reason };
      if (how === 'interrupted') log.warn(line, 'Reading an upload was interrupted; it begins again from the start');
      else log.info(line, 'Finished reading an upload');
    },
  };
}
