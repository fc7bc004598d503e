import type { Worker } from 'node:worker_threads';
import { type DetectLanguages, languagesIn, startDetector } from '../../src/clustering/language.ts';
import { clusterDraft } from '../../src/drafts/cluster-draft.ts';
import { runClustering } from '../../src/drafts/clustering-job.ts';
import { openStorage } from '../../src/storage/open.ts';
import { StorageUnreadable } from '../../src/storage/storage.ts';
import type { IngestOutcome, IngestRequest, ReadShare } from '../../src/visualizations/ingest/ingest-messages.ts';
import { makePack, memoryNeeded } from '../../src/visualizations/ingest/make-pack.ts';
import { type StartReading, startReading } from '../../src/visualizations/ingest/run-ingest.ts';

/** A longer file would stop the server of the test for a while. */
const maxBytes = 64 * 1024;

/**
 * Reads a small file where the test runs, as the process does that a server starts: starting it takes a hundred times
 * as long. Longer files are read by a process.
 */
export const readHere: StartReading = (request, signal, onProgress) => {
  if (request.fileBytes > maxBytes) return startReading(request, signal, onProgress);
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  return {
    allow: (bytes) => bytes >= request.fileBytes && arrive(),
    outcome: Promise.race([abortionOf(signal), arrived.then(() => read(request, onProgress))]),
  };
};

/**
 * The same for {@link runClustering}, of lists and maps that need no language model. A time limit ends a process, so it
 * needs one.
 */
export const clusterHere: typeof runClustering = (request, signal, onProgress, patience) => {
  const { settings, map, lists } = request;
  const isOnlyRead = map !== undefined && lists.length === 0 && map.branch === undefined;
  const needsModel = settings.grouping !== 'columns' && settings.model !== 'none' && !isOnlyRead;
  if (needsModel || (map && !isOnlyRead) || patience) return runClustering(request, signal, onProgress, patience);
  const made = openStorage(request.place).then((storage) => clusterDraft(storage, request, onProgress, detect));
  return Promise.race([abortionOf(signal), made]);
};

/** Loading what tells languages takes longer than most lists of tests, so its thread stays. */
let detector: Worker | undefined;
let detected: Promise<unknown> = Promise.resolve();
const detect: DetectLanguages = (texts) => {
  detector ??= startDetector();
  detector.unref();
  const thread = detector;
  const languages = detected.then(() => languagesIn(thread, texts));
  detected = languages.catch(() => undefined);
  return languages;
};

/** Rejects with the signal's reason once it is aborted. */
function abortionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}

/** From the files themselves, however the server of the test has wrapped them. */
async function read(request: IngestRequest, onProgress: (progress: ReadShare) => void): Promise<IngestOutcome> {
  const storage = await openStorage(request.place);
  async function* blocks() {
    try {
      const file = await storage.open(request.fileKey);
      yield await file.read(0, request.fileBytes).finally(() => file.close());
    } catch (cause) {
      throw new StorageUnreadable(cause);
    }
  }
  return makePack(storage, request, {
    blocks: blocks(),
    onProgress: (progress) =>
      onProgress({ share: progress.bytes / request.fileBytes, neededBytes: memoryNeeded(progress) }),
  });
}
