import { setImmediate } from 'node:timers/promises';
import type { Filter } from '@kc/pack/filter/filter';
import { hasMarks, readFilter } from '@kc/pack/filter/filter-text';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { Pause } from '@kc/pack/format/in-pieces';
import { releasePack } from '@kc/pack/format/once-per-pack';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { filterRows } from '@kc/pack/levels/filter-rows';
import type { FilteredPack, FilterInput } from '@kc/pack/sums/filtered-pack';

/** What a filter with parts about marks needs to be applied. `under`: the pack under another filter. */
export type MarkRows = (
  pack: PackReader,
  filter: Filter,
  under: (text: string) => Promise<FilteredPack>,
  pause: Pause,
) => Promise<Pick<FilterInput, 'marked' | 'covered'>>;

const noMarks: MarkRows = () => Promise.reject(new Error('There are no marks'));

/** An open pack and its filters. */
export type OpenPack = { readonly pack: PackReader; readonly filters: Filters };

/** An open pack under the filters that were requested last. */
export interface Filters {
  /**
   * @param text a filter in canonical form
   * @param signal fires when the requester goes away. A computation that nobody waits for is aborted.
   */
  use(text: string, signal: AbortSignal | undefined): Promise<FilteredPack>;
}

type Entry = {
  readonly filtered: Promise<FilteredPack>;
  /** Undefined while it is being computed. */
  done: FilteredPack | undefined;
  /** How many requests wait for it. */
  askers: number;
  readonly abort: AbortController;
};

/**
 * Filters are computed one at a time, so that many simultaneous ones need no more memory than one.
 *
 * @param budgetBytes for all computed filters, except the one used last, which a user is currently viewing
 * @param find the fast name search; without it the plain one runs
 * @param marked finds the rows for which the parts about marks hold
 */
export function createFilters(
  pack: PackReader,
  budgetBytes: number,
  find?: TextFinder,
  marked: MarkRows = noMarks,
): Filters {
  const entries = new Map<string, Entry>();
  let turn: Promise<unknown> = Promise.resolve();

  function begin(text: string): Entry {
    const filter = readFilter(text);
    if (!filter) throw new RangeError(`No filter: ${text}`);
    const abort = new AbortController();
    const pause = async (): Promise<void> => {
      // Small requests are answered between two passes.
      await setImmediate();
      if (!entry.done) abort.signal.throwIfAborted();
    };
    // Outside the turn, because they can need another filter first.
    const marking = hasMarks(filter) ? marked(pack, filter, (other) => use(other, abort.signal), pause) : undefined;
    const inTurn = (found?: Awaited<ReturnType<MarkRows>>) => {
      const filtered = turn.then(pause).then(() => filterRows(pack, filter, { pause, find, ...found }));
      turn = filtered.then(
        () => undefined,
        () => undefined,
      );
      return filtered;
    };
    const entry: Entry = { filtered: marking ? marking.then(inTurn) : inTurn(), done: undefined, askers: 0, abort };
    entry.filtered.then(
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
      if (!done || bytes <= budgetBytes) continue;
      entries.delete(text);
      releasePack(done);
    }
  }

  async function use(text: string, signal: AbortSignal | undefined): Promise<FilteredPack> {
    const entry = entries.get(text) ?? begin(text);
    // A Map keeps insertion order: the last entry is the one used last.
    entries.delete(text);
    entries.set(text, entry);
    entry.askers++;
    const leave = (): void => {
      if (--entry.askers > 0 || entry.done) return;
      forget(text, entry);
      entry.abort.abort(new Error('No request waits for this filter'));
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
  }

  return { use };
}
