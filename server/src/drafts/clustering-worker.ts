import { writeFile } from 'node:fs/promises';
import { openStorage } from '../storage/open.ts';
import { faultKindOf } from '../storage/storage.ts';
import { clusterDraft } from './cluster-draft.ts';
import type { ClusteringMessage, ClusteringProgress, ClusteringRequest } from './clustering-messages.ts';

// The process that clusters the lists of one draft. See run-clustering.ts.

process.umask(0o077);
process.once('disconnect', () => process.exit());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
process.once('message', (request: ClusteringRequest) => void main(request));
// If the machine runs out of memory, the kernel should end this process, not the server. Only Linux has this file.
await writeFile('/proc/self/oom_score_adj', '900').catch(() => undefined);

async function main(request: ClusteringRequest): Promise<void> {
  try {
    const storage = await openStorage(request.place);
    await say({ kind: 'outcome', outcome: await clusterDraft(storage, request, report) });
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    await say({ kind: 'fault', text, of: faultKindOf(error) });
  }
  process.exit();
}

function report(progress: ClusteringProgress): void {
  void say({ kind: 'progress', ...progress });
}

/** Settles when the message has been sent. */
function say(message: ClusteringMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
}
