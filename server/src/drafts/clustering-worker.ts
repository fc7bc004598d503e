import { openStorage } from '../storage/open.ts';
import { say, sayOutcome, workForServer } from '../worker-process.ts';
import { clusterDraft } from './cluster-draft.ts';
import type { ClusteringMessage, ClusteringProgress, ClusteringRequest } from './clustering-messages.ts';

// The process that clusters the lists of one draft. See clustering-job.ts.

await workForServer((request: ClusteringRequest) =>
  sayOutcome(async () => clusterDraft(await openStorage(request.place), request, report)),
);

function report(progress: ClusteringProgress): void {
  void say({ kind: 'progress', ...progress } satisfies ClusteringMessage);
}
