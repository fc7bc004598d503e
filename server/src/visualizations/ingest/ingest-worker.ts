import { openStorage } from '../../storage/open.ts';
import { type Storage, StorageUnreadable } from '../../storage/storage.ts';
import { withinLimits } from '../../storage/writing-limits.ts';
import { say, sayOutcome, workForServer } from '../../worker-process.ts';
import type { IngestMessage, IngestOrder, IngestOutcome, IngestRequest } from './ingest-messages.ts';
import { makePack, memoryNeeded } from './make-pack.ts';

// The process that reads one upload: file → columns → tree → pack, which is verified while it is written. See
// run-ingest.ts.

/** Bytes of the file per read. */
const blockBytes = 1024 * 1024;

const arrived = createArrival();
await workForServer((order: IngestOrder) => {
  if (order.kind === 'allow') arrived.upTo(order.bytes);
  else void sayOutcome(async () => ingest(withinLimits(await openStorage(order.place)), order));
});

function ingest(storage: Storage, request: IngestRequest): Promise<IngestOutcome> {
  return makePack(storage, request, {
    blocks: blocksOf(storage, request),
    onProgress: (progress) =>
      void say({
        kind: 'progress',
        share: progress.bytes / request.fileBytes,
        neededBytes: memoryNeeded(progress),
      } satisfies IngestMessage),
  });
}

/** The file from its start, as far as reading is allowed, until the end. */
async function* blocksOf(storage: Storage, { fileKey, fileBytes }: IngestRequest): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < fileBytes; ) {
    const until = await arrived.beyond(at);
    // Opened again for each piece: an open object keeps the size it had when it was opened.
    const file = await storage.open(fileKey).catch(unreadable);
    try {
      for (; at < until; at = Math.min(at + blockBytes, until)) {
        yield await file.read(at, Math.min(blockBytes, until - at)).catch(unreadable);
      }
    } finally {
      await file.close();
    }
  }
}

function unreadable(cause: unknown): never {
  throw new StorageUnreadable(cause);
}

/** How much of the file may be read. */
function createArrival(): { upTo(bytes: number): void; beyond(at: number): Promise<number> } {
  let there = 0;
  let wake: () => void = () => undefined;
  return {
    upTo(bytes) {
      there = Math.max(there, bytes);
      wake();
    },
    async beyond(at) {
      while (there <= at) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return there;
    },
  };
}
