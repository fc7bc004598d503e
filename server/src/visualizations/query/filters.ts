import { setImmediate } from 'node:timers/promises';
import { readFilter } from '@kc/pack/filter/filter-text';
import { type FilteredPack, filterPack } from '@kc/pack/filter/filtered-pack';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { PackReader } from '@kc/pack/format/pack-reader';

/** A pack that is open, and what is kept of it. */
export type OpenPack = { readonly pack: PackReader; readonly filters: Filters };

/** An open pack under the filters that were asked for last. */
export interface Filters {
  /**
   * @param text a canonical one
   * @param signal fires when the asker goes away: what everybody has left is given up
   */
  use(text: string, signal: AbortSignal | undefined): Promise<FilteredPack>;
}

type Entry = {
  readonly filtered: Promise<FilteredPack>;
  /** Undefined as long as it is being made. */
  done: FilteredPack | undefined;
  /** Who waits for it. */
  askers: number;
  readonly abort: AbortController;
};

/**
 * One filter is made at a time, so that many that are asked for at once take no more memory than one.
 *
 * @param budgetBytes of all that are made, the one used last not counted: somebody looks at it
 * @param find the loop that looks through names; without one the plain one
 */
export function createFilters(pack: PackReader, budgetBytes: number, find?: TextFinder): Filters {
  const entries = new Map<string, Entry>();
  let turn: Promise<unknown> = Promise.resolve();

  function begin(text: string): Entry {
    const filter = readFilter(text);
    if (!filter) throw new RangeError(`No filter: ${text}`);
    const abort = new AbortController();
    const pause = async (): Promise<void> => {
      // Whoever asks for something small meanwhile is answered between two passes.
      await setImmediate();
      if (!entry.done) abort.signal.throwIfAborted();
    };
    const make = () => filterPack(pack, filter, { pause, find });
    const entry: Entry = { filtered: turn.then(pause).then(make), done: undefined, askers: 0, abort };
    turn = entry.filtered.then(
      (done) => {
        entry.done = done;
      },
      () => forget(text, entry),
    );
    return entry;
  }

  function forget(text: string, entry: Entry): void {
    if (entries.get(text) === entry) entries.delete(text);
  }

  function trim(): void {
    let bytes = 0;
    for (const [age, [text, { done }]] of [...entries].reverse().entries()) {
      if (age > 0) bytes += done?.bytes() ?? 0;
      if (done && bytes > budgetBytes) entries.delete(text);
    }
  }

  return {
    async use(text, signal) {
      const entry = entries.get(text) ?? begin(text);
      // A Map keeps the order of insertion: the last one is the one used last.
      entries.delete(text);
      entries.set(text, entry);
      entry.askers++;
      const leave = (): void => {
        if (--entry.askers > 0 || entry.done) return;
        forget(text, entry);
        entry.abort.abort(new Error('Nobody waits for this filter'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      try {
        const filtered = await entry.filtered;
        signal?.throwIfAborted();
        return filtered;
      } finally {
        signal?.removeEventListener('abort', leave);
        if (!signal?.aborted) entry.askers--;
        trim();
      }
    },
  };
}
