import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { InThreads, RunModel } from '@kc/cluster/encoder/encoder';
import { type ModelRuntime, plain, type Tensor, type Tensors, type ThreadData } from './model-runtime.ts';
import { answerOf, nextMessage } from './thread-answer.ts';

/** What runs a model: a session, or a thread that has one. */
export type ModelRunner = { run(inputs: Readonly<Record<string, Tensor>>): Promise<Tensors> };

const purpose = 'runs a model';
/** Each takes up to 40 MiB beside the model. More than four were not tried. */
const maxThreads = 4;
/** The most that all threads together may hold of the model: each has a copy. */
const maxBytes = 256 * 2 ** 20;

/**
 * Runs a model in several threads, each with its own session. Sessions compute alike, so the result does not depend on which
 * thread runs a batch. Undefined if the machine has one processor, or the model is too large to be held twice. Threads that
 * cannot start, for lack of memory for example, are left out; if none can, `work` gets no runners.
 *
 * @param runBy how batches are run by a runner
 */
export function modelThreads(
  { kind }: ModelRuntime,
  model: Uint8Array,
  runBy: (runner: ModelRunner) => RunModel,
  processors = availableParallelism(),
): InThreads | undefined {
  const count = Math.min(maxThreads, processors, Math.floor(maxBytes / model.length));
  if (count < 2) return undefined;
  return async (work) => {
    const starting = await Promise.allSettled(Array.from({ length: count }, () => startThread({ kind, model })));
    const threads = starting.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    try {
      await work(threads.map((thread) => runBy({ run: (inputs) => answerOf(thread, plain(inputs), purpose) })));
    } finally {
      await Promise.all(threads.map((thread) => thread.terminate()));
    }
  };
}

/** @throws why it cannot run the model */
async function startThread(workerData: ThreadData): Promise<Worker> {
  const thread = new Worker(new URL('./model-thread.ts', import.meta.url), { workerData });
  await nextMessage(thread, purpose);
  return thread;
}
