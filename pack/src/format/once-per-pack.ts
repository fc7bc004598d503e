import { noPause, type Pause } from './in-pieces.ts';
import type { PackReader } from './pack-reader.ts';

/** What a computation gets: the pause of its request, alone or with more. */
type Parts = Pause | { readonly pause?: Pause | undefined };

type Kept<T, P> = {
  /** Tells results of the same pack apart. */
  readonly nameOf?: (parts: P) => string;
  /** How many results of a pack are kept, those used last; or, with `sizeOf`, their sum. The one used last always stays. */
  readonly mostKept?: number;
  readonly sizeOf?: (result: T) => number;
};

type Result<T> = { readonly promise: Promise<T>; size: number; isDone: boolean };

/** Results by pack. */
export type OncePerPack<T, P, K> = {
  (pack: K, parts: P): Promise<T>;
  /** Whether it is there already. */
  has(pack: K, parts: P): boolean;
};

/**
 * Computes something once for an open pack, filtered or not, and caches it with the pack. Several requests may ask for it
 * at once: if the first one goes away before it is done, another one that waits computes it instead.
 *
 * @param compute gets the pause of the request that computes; an error it throws ends the computation
 */
export function oncePerPack<T, P extends Parts, K extends object = PackReader>(
  compute: (pack: K, parts: P) => Promise<T>,
  { nameOf = () => '', mostKept = 1, sizeOf }: Kept<T, P> = {},
): OncePerPack<T, P, K> {
  const cached = new WeakMap<K, Map<string, Result<T>>>();
  const trim = (results: Map<string, Result<T>>): void => {
    let kept = 0;
    for (const [age, [name, { size }]] of [...results].reverse().entries()) {
      kept += size;
      if (age > 0 && kept > mostKept) results.delete(name);
    }
  };
  const get = async (pack: K, parts: P): Promise<T> => {
    const results = cached.get(pack) ?? new Map<string, Result<T>>();
    cached.set(pack, results);
    const name = nameOf(parts);
    const use = (result: Result<T>): Promise<T> => {
      // A Map keeps insertion order: the last entry is the one used last.
      results.delete(name);
      results.set(name, result);
      trim(results);
      return result.promise;
    };
    const forget = (result: Result<T>): void => {
      if (results.get(name) === result) results.delete(name);
    };
    for (let other = results.get(name); other; other = results.get(name)) {
      try {
        return await use(other);
      } catch {
        // Its request failed, which may concern that request alone. This one goes on unless it is unwanted, too.
        forget(other);
        await pauseIn(parts)();
      }
    }
    const mine = { promise: compute(pack, parts), size: sizeOf ? 0 : 1, isDone: false };
    try {
      const result = await use(mine);
      mine.isDone = true;
      if (sizeOf) mine.size = sizeOf(result);
      trim(results);
      return result;
    } catch (error) {
      forget(mine);
      throw error;
    }
  };
  return Object.assign(get, {
    has: (pack: K, parts: P): boolean => cached.get(pack)?.get(nameOf(parts))?.isDone ?? false,
  });
}

const pauseIn = (parts: Parts): Pause => (typeof parts === 'function' ? parts : (parts.pause ?? noPause));
