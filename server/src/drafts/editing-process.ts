import type { ChildProcess } from 'node:child_process';
import { faultOf } from '../storage/storage.ts';
import { startWorker } from '../worker-process.ts';
import type { EditingAnswer, EditingOrder } from './editing-messages.ts';

/** A process that holds one draft. */
export type EditingProcess = {
  /**
   * Sends an order and waits for its answer. One at a time.
   *
   * @throws {@link EndedEarly}, or another fault of the machine, after which the process has ended
   */
  ask(order: EditingOrder): Promise<Exclude<EditingAnswer, { kind: 'fault' }>>;
  readonly hasEnded: boolean;
  end(): void;
};

/** The process ended before it answered: somebody killed it, or the machine ran out of memory. */
export class EndedEarly extends Error {}

/** An order that takes longer has gone wrong. */
const longestMs = 120_000;
const worker = new URL('./editing-worker.ts', import.meta.url);

/** Starts a process in which drafts are changed. */
export function startEditingProcess(memoryBytes: number): EditingProcess {
  const child = startWorker(worker, { memoryBytes });
  // Faults are reported to whoever is waiting for an answer.
  child.on('error', () => undefined);
  let hasEnded = false;
  child.once('close', () => {
    hasEnded = true;
  });
  const end = (): void => {
    hasEnded = true;
    child.kill('SIGKILL');
  };
  return {
    async ask(order) {
      try {
        const answer = await answerOf(child, order);
        if (answer.kind === 'fault') throw faultOf(answer.of, answer.text);
        return answer;
      } catch (error) {
        end();
        throw error;
      }
    },
    get hasEnded() {
      return hasEnded;
    },
    end,
  };
}

function answerOf(child: ChildProcess, order: EditingOrder): Promise<EditingAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      child.off('message', answered);
      child.off('close', closed);
      act();
    };
    const answered = (answer: EditingAnswer): void => settle(() => resolve(answer));
    const closed = (code: number | null, signal: string | null): void =>
      settle(() => reject(new EndedEarly(`The process that edits a draft ended early (${signal ?? code})`)));
    const timer = setTimeout(
      () => settle(() => reject(new Error('The process that edits a draft does not answer'))),
      longestMs,
    ).unref();
    child.once('message', answered);
    child.once('close', closed);
    if (!child.connected) return closed(child.exitCode, child.signalCode);
    child.send(order, () => undefined);
  });
}
