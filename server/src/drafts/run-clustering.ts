import { giveWay, outcomeOf, type Patience, startWorker } from '../worker-process.ts';
import type { ClusteringOutcome, ClusteringProgress, ClusteringRequest } from './clustering-messages.ts';

const worker = new URL('./clustering-worker.ts', import.meta.url);

/**
 * A million keywords spend four minutes in the longest stage that reports nothing, and a language model reports after every
 * few texts. The job runner would repeat what takes six hours.
 */
const usualPatience: Patience = { silentMs: 20 * 60_000, wholeMs: 5 * 3_600_000 };

/** Clusters stored lists in a separate process. Rejects like {@link outcomeOf}. */
export function runClustering(
  request: ClusteringRequest,
  signal: AbortSignal,
  onProgress: (progress: ClusteringProgress) => void,
  patience: Patience = usualPatience,
): Promise<ClusteringOutcome> {
  const child = startWorker(worker, { memoryBytes: request.memoryBytes });
  giveWay(child);
  child.send(request, () => undefined);
  return outcomeOf(child, { what: 'clustered lists', signal, onProgress, patience });
}
