import { setImmediate } from 'node:timers/promises';
import type { Filter } from '@kc/pack/filter/filter';
import { hasMarks, readFilter } from '@kc/pack/filter/filter-text';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import type { Pause } from '@kc/pack/format/in-pieces';
import { oncePerPack, releasePack } from '@kc/pack/format/once-per-pack';
import type { PackReader } from '@kc/pack/format/pack-reader';
import type { FilterInput } from '@kc/pack/levels/filter-pack';
import { filterPack } from '@kc/pack/levels/filter-pack';
import type { FilteredPack } from '@kc/pack/sums/filtered-pack';

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
   * @param signal fires when the client disconnects. A computation that nobody waits for is aborted.
   */
  use(text: string, signal: AbortSignal | undefined): Promise<FilteredPack>;
}

/** The requests that wait for a filter while it is computed. */
type Waiting = { waiters: number; isDone: boolean; readonly abort: AbortController };
type FilterParams = { readonly text: string; readonly signal: AbortSignal; readonly pause: Pause };

/**
 * Filters are computed one at a time, so that many simultaneous ones need no more memory than one. They are cached within the
 * budget of everything that is computed from packs; see `oncePerPack`.
 *
 * @param find the fast name search; without it the plain one runs
 * @param marked finds the rows for which the parts about marks hold
 */
export function createFilters(pack: PackReader, find?: TextFinder, marked: MarkRows = noMarks): Filters {
  const waiting = new Map<string, Waiting>();
  let turn: Promise<unknown> = Promise.resolve();

  const under = oncePerPack<FilteredPack, FilterParams>(
    async (_, { text, signal, pause }) => {
      const filter = readFilter(text);
      if (!filter) throw new RangeError(`No filter: ${text}`);
      // Outside the turn, because marks can need another filter first.
      const found = hasMarks(filter) ? await marked(pack, filter, (other) => use(other, signal), pause) : undefined;
      const filtered = turn.then(pause).then(() => filterPack(pack, filter, { pause, find, ...found }));
      turn = filtered.then(
        () => undefined,
        () => undefined,
      );
      return filtered;
    },
    { nameOf: ({ text }) => text, sizeOf: (filtered) => filtered.bytes(), onForget: releasePack },
  );

  async function use(text: string, signal: AbortSignal | undefined): Promise<FilteredPack> {
    const entry = waiting.get(text) ?? { waiters: 0, isDone: false, abort: new AbortController() };
    waiting.set(text, entry);
    entry.waiters++;
    const leave = (): void => {
      if (--entry.waiters > 0) return;
      if (waiting.get(text) === entry) waiting.delete(text);
      if (!entry.isDone) entry.abort.abort(new Error('No request waits for this filter'));
    };
    const pause = async (): Promise<void> => {
      // Small requests are answered between two passes.
      await setImmediate();
      if (!entry.isDone) entry.abort.signal.throwIfAborted();
    };
    signal?.addEventListener('abort', leave, { once: true });
    try {
      const filtered = await under(pack, { text, signal: entry.abort.signal, pause });
      entry.isDone = true;
      signal?.throwIfAborted();
      return filtered;
    } finally {
      signal?.removeEventListener('abort', leave);
      if (!signal?.aborted) leave();
    }
  }

  return { use };
}
