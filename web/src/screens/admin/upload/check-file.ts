import type { ContentCheck } from '../../../api/uploads.ts';
import { createWorker } from '../../../trusted-worker.ts';
import type { CheckMessage } from './check-file.worker.ts';
import workerUrl from './check-file.worker.ts?worker&url';

/** Reads a file beside the page and says what is wrong with it, so that a broken one is refused before all of it is sent. */
export const checkFile: ContentCheck = (file, onProgress, signal) =>
  new Promise((resolve) => {
    const worker = createWorker(workerUrl, 'check-file');
    const end: typeof resolve = (refusal) => {
      worker.terminate();
      resolve(refusal);
    };
    worker.addEventListener('message', ({ data }: MessageEvent<CheckMessage>) => {
      onProgress(data.found);
      if ('ended' in data) end(data.refusal);
    });
    // A worker that cannot start refuses nothing: the server reads every file again.
    worker.addEventListener('error', () => end(undefined));
    signal.addEventListener('abort', () => end(undefined));
    worker.postMessage(file);
  });
