import type { ChildProcess } from 'node:child_process';
import { faultOf } from '../storage/storage.ts';
import { startWorker } from '../worker-process.ts';
import type { EditingAnswer, EditingOrder } from './editing-messages.ts';

/** A process that holds one draft. */
export type EditingProcess = {
  /**
   * Sends an order and waits for its response. One at a time.
   *
   * @throws {@link EndedEarly}, or another fault of the machine, after which the process has ended
   */
  send(order: EditingOrder): Promise<Exclude<EditingAnswer, { kind: 'fault' }>>;
  readonly hasEnded: boolean;
  end(): void;
};

/** The process ended before it answered: somebody killed it, or the machine ran out of memory. */
export class EndedEarly extends Error {}

/** An order that takes longer has gone wrong. */
const longestMs = 120_000;
const worker = new URL('./editing-worker.ts', import.meta.url);

/** Starts a process in which drafts are changed. */
function startEditingProcess(memoryBytes: number): EditingProcess {
  const child = startWorker(worker, { memoryBytes });
  // Faults are reported to the caller that waits for a response.
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
    async send(order) {
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

/** The editing processes of one server: a cache of drafts. A draft that has none gets one from what is stored. */
export type Editors = {
  /**
   * Lends the process of a draft, or a new one. Only for the holder of the draft's lock, so that no process works on two
   * orders at once. Waits while too many other drafts are being changed.
   *
   * @param work gets the process, and whether it is new
   */
  with<T>(draftId: string, work: (process: EditingProcess, isNew: boolean) => Promise<T>): Promise<T>;
  /** Ends the process of a draft, so that the next change starts from what is stored. */
  forget(draftId: string): void;
  stop(): void;
};

/** How many drafts one server keeps in memory. */
const maxProcesses = 2;
const keptMs = 5 * 60_000;

type Entry = { readonly process: EditingProcess; isBusy: boolean; idle: NodeJS.Timeout | undefined };

export function createEditors(memoryBytes: number, start = startEditingProcess): Editors {
  /** A Map keeps insertion order: the draft that was changed longest ago comes first. */
  const entries = new Map<string, Entry>();
  const waiting: (() => void)[] = [];

  function forget(draftId: string): void {
    const entry = entries.get(draftId);
    if (!entry) return;
    entries.delete(draftId);
    clearTimeout(entry.idle);
    entry.process.end();
    waiting.shift()?.();
  }

  return {
    async with(draftId, work) {
      if (entries.get(draftId)?.process.hasEnded) forget(draftId);
      const isNew = !entries.has(draftId);
      // No wait between the last look and taking the place.
      while (!entries.has(draftId) && entries.size >= maxProcesses) {
        const unused = [...entries].find(([, { isBusy }]) => !isBusy);
        if (unused) forget(unused[0]);
        else await new Promise<void>((resolve) => waiting.push(resolve));
      }
      const entry = entries.get(draftId) ?? { process: start(memoryBytes), isBusy: true, idle: undefined };
      clearTimeout(entry.idle);
      entry.isBusy = true;
      entries.delete(draftId);
      entries.set(draftId, entry);
      try {
        return await work(entry.process, isNew);
      } finally {
        entry.isBusy = false;
        entry.idle = setTimeout(() => entries.get(draftId) === entry && forget(draftId), keptMs).unref();
        waiting.shift()?.();
      }
    },
    forget,
    stop() {
      for (const draftId of [...entries.keys()]) forget(draftId);
    },
  };
}
