import type { ContentCheck } from '../../../api/uploads.ts';
import { createWorker } from '../../../trusted-worker.ts';
import type { CheckAnswer } from './check-file.worker.ts';
import workerUrl from './check-file.worker.ts?worker&url';

/** Reads a file beside the page and says what is wrong with it, so that a broken one is refused before it is sent. */
export const checkFile: ContentCheck = (file, signal) =>
  new Promise((resolve) => {
    const worker = createWorker(workerUrl, 'check-file');
    const end = (answer: CheckAnswer) => {
      worker.terminate();
      resolve(answer.refusal);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<CheckAnswer>) => end(data));
    // A worker that cannot start refuses nothing: the server reads every file again.
    worker.addEventListener('error', () => end({}));
    signal.addEventListener('abort', () => end({}));
    worker.postMessage(file);
  });
