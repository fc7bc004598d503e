import type { CheckChallenge, CheckProof } from '@kc/rules/shapes';
import { createWorker } from '../../trusted-worker.ts';
import type { CheckSolution } from './check.worker.ts';
import workerUrl from './check.worker.ts?worker&url';

/** Does a challenge's work beside the page; `undefined` when this browser cannot. */
export function solveCheck(challenge: CheckChallenge): Promise<CheckProof | undefined> {
  return new Promise((resolve) => {
    const worker = createWorker(workerUrl, 'sign-up-check');
    const end = (solution: CheckSolution) => {
      worker.terminate();
      resolve(solution && { challenge, solution });
    };
    worker.addEventListener('message', ({ data }: MessageEvent<CheckSolution>) => end(data));
    worker.addEventListener('error', () => end(undefined));
    worker.postMessage(challenge);
  });
}
