import { parentPort, workerData } from 'node:worker_threads';
import { PackCheck } from '@kc/pack/write/pack-check';
import { openStorage } from '../../storage/open.ts';
import { whileOpen } from '../../storage/storage.ts';
import { type CheckedObject, type CheckOrder, factsOf } from './ingest-messages.ts';

// The thread that verifies a pack while it is written. See make-pack.ts.

const { place, key } = workerData as CheckedObject;
const storage = await openStorage(place);
let check: PackCheck | undefined;
let availableBytes = 0;
let isWhole = false;
let isRunning = false;

parentPort?.on('message', (order: CheckOrder) => {
  if (order.kind === 'head') check = new PackCheck(order.head);
  else {
    availableBytes = order.bytes;
    isWhole = order.isWhole;
  }
  if (!isRunning) void resume(check!);
});

/** Checks the available bytes. An error ends the thread. */
async function resume(check: PackCheck): Promise<void> {
  isRunning = true;
  for (;;) {
    const { wanted } = check;
    if (!wanted && isWhole) break;
    if (!wanted || wanted.offset + wanted.length > availableBytes) {
      isRunning = false;
      return;
    }
    await takeUpTo(availableBytes, check);
  }
  parentPort?.postMessage(factsOf(await whileOpen(storage, key, (bytes) => check.finish(bytes))));
  parentPort?.close();
}

/** Opened again for each piece: an open object keeps the size it had when it was opened. */
function takeUpTo(end: number, check: PackCheck): Promise<void> {
  return whileOpen(storage, key, async (bytes) => {
    for (let { wanted } = check; wanted && wanted.offset + wanted.length <= end; { wanted } = check) {
      check.take(await bytes.read(wanted.offset, wanted.length, wanted.into));
    }
  });
}
