import { openStorage } from '../../src/storage/open.ts';
import { StorageUnreadable } from '../../src/storage/storage.ts';
import { memoryNeeded } from '../../src/visualizations/ingest/ingest-memory.ts';
import type { IngestOutcome, IngestRequest, ReadShare } from '../../src/visualizations/ingest/ingest-messages.ts';
import { makePack } from '../../src/visualizations/ingest/make-pack.ts';
import { type StartReading, startReading } from '../../src/visualizations/ingest/run-ingest.ts';

/** A longer file would stop the server of the test for a while. */
const mostBytes = 64 * 1024;

/**
 * Reads a small file where the test runs, as the process does that a server starts: starting it takes a hundred times
 * as long. Longer files are read by a process.
 */
export const readHere: StartReading = (request, signal, onProgress) => {
  if (request.fileBytes > mostBytes) return startReading(request, signal, onProgress);
  let arrive = (): void => undefined;
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const aborted = new Promise<never>((_, reject) => {
    const abort = (): void => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
  return {
    allow: (bytes) => bytes >= request.fileBytes && arrive(),
    outcome: Promise.race([aborted, arrived.then(() => read(request, onProgress))]),
  };
};

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
