import { type EditingProcess, startEditingProcess } from './editing-process.ts';

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
