import { noPause, type Pause } from './in-pieces.ts';
import type { PackReader } from './pack-reader.ts';

/** What a computation gets: the pause of its request, alone or with more. */
type Parts = Pause | { readonly pause?: Pause | undefined };

type Kept<P> = {
  /** Tells results of the same pack apart. */
  readonly nameOf?: (parts: P) => string;
  /** How many results of a pack are kept, those used last. */
  readonly mostKept?: number;
};

/**
 * Computes something once for an open pack, filtered or not, and caches it with the pack. Several requests may ask for it
 * at once: if the first one goes away before it is done, another one that waits computes it instead.
 *
 * @param compute gets the pause of the request that computes; an error it throws ends the computation
 */
export function oncePerPack<T, P extends Parts, K extends object = PackReader>(
  compute: (pack: K, parts: P) => Promise<T>,
  { nameOf = () => '', mostKept = 1 }: Kept<P> = {},
): (pack: K, parts: P) => Promise<T> {
  const cached = new WeakMap<K, Map<string, Promise<T>>>();
  return async (pack, parts) => {
    const results = cached.get(pack) ?? new Map<string, Promise<T>>();
    cached.set(pack, results);
    const name = nameOf(parts);
    const keep = (result: Promise<T>): Promise<T> => {
      // A Map keeps insertion order: the last entry is the one used last.
      results.delete(name);
      results.set(name, result);
      for (const oldest of results.keys()) if (results.size > mostKept) results.delete(oldest);
      return result;
    };
    const forget = (result: Promise<T>): void => {
      if (results.get(name) === result) results.delete(name);
    };
    for (let other = results.get(name); other; other = results.get(name)) {
      try {
        return await keep(other);
      } catch {
        // Its request failed, which may concern that request alone. This one goes on unless it is unwanted, too.
        forget(other);
        await pauseIn(parts)();
      }
    }
    const mine = keep(compute(pack, parts));
    try {
      return await mine;
    } catch (error) {
      forget(mine);
      throw error;
    }
  };
}

const pauseIn = (parts: Parts): Pause => (typeof parts === 'function' ? parts : (parts.pause ?? noPause));
