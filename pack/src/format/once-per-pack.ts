import { noPause, type Pause } from './in-pieces.ts';
import type { PackReader } from './pack-reader.ts';

/** The argument of a computation besides the pack: the pause of its request, alone or with further parameters. */
type Parts = Pause | { readonly pause?: Pause | undefined };

/** How several results of one computation are cached for a pack. Without this, a pack has a single result, which stays as long as the pack. */
type Caching<T, P> = {
  /** The cache key of a result within its pack. */
  readonly nameOf: (parts: P) => string;
  /** The size in bytes. Asked again each time the cache is trimmed, because a result may grow. */
  readonly sizeOf: (result: T) => number;
  /** Called with a result that has been removed from the cache. */
  readonly onForget?: (result: T) => void;
  /** Other packs that the result was computed from: releasing one of them removes it, too. */
  readonly alsoOf?: (parts: P) => readonly object[];
};

type Result<T> = {
  readonly promise: Promise<T>;
  /** The size in bytes; 0 while it is being computed, and for results that have no size. */
  sizeNow: () => number;
  isDone: boolean;
  /** All packs that it was computed from. */
  readonly packs: readonly object[];
  readonly forget: () => void;
};

type OncePerPack<T, P, K> = {
  (pack: K, parts: P): Promise<T>;
  /** Whether the result is cached already. */
  has(pack: K, parts: P): boolean;
};

/**
 * The memory for all results that have a size, of all open packs together. A plot of ten million keywords takes 500 MiB, so a server sets as
 * much as it can spare.
 */
let budgetBytes = 256 * 2 ** 20;

/** @returns the previous budget */
export function setCacheBudget(bytes: number): number {
  const before = budgetBytes;
  budgetBytes = bytes;
  return before;
}

/** Every result, least recently used first. Weak references, because a result must be collected together with its pack. */
const inOrderOfUse = new Set<WeakRef<Result<unknown>>>();
const refs = new WeakMap<Result<unknown>, WeakRef<Result<unknown>>>();
const ofPack = new WeakMap<object, Set<WeakRef<Result<unknown>>>>();

/**
 * Computes something once for an open pack, filtered or not, and caches it with the pack. Several requests may ask for it
 * at once: if the one that computes is aborted, one of those that wait computes it instead.
 *
 * All results share one budget. Beyond it, the least recently used ones are removed; the most recently used one always stays.
 *
 * @param compute receives the pause of the request that computes; an error it throws ends the computation
 */
export function oncePerPack<T, P extends Parts, K extends object = PackReader>(
  compute: (pack: K, parts: P) => Promise<T>,
  caching?: Caching<T, P>,
): OncePerPack<T, P, K> {
  const cached = new WeakMap<K, Map<string, Result<T>>>();
  const nameOf = (parts: P): string => caching?.nameOf(parts) ?? '';
  const get = async (pack: K, parts: P): Promise<T> => {
    const results = cached.get(pack) ?? new Map<string, Result<T>>();
    cached.set(pack, results);
    const name = nameOf(parts);
    for (let other = results.get(name); other; other = results.get(name)) {
      try {
        use(other);
        return await other.promise;
      } catch {
        // Perhaps only the other request was aborted. The pause rejects if this one is, too.
        other.forget();
        await pauseIn(parts)();
      }
    }
    const entry: Result<T> = {
      promise: compute(pack, parts),
      sizeNow: () => 0,
      isDone: false,
      packs: [pack, ...(caching?.alsoOf?.(parts) ?? [])],
      forget: () => {
        if (results.get(name) === entry) results.delete(name);
        drop(entry);
        if (entry.isDone && caching?.onForget) entry.promise.then(caching.onForget);
      },
    };
    results.set(name, entry);
    use(entry);
    try {
      const result = await entry.promise;
      entry.isDone = true;
      if (caching) entry.sizeNow = () => caching.sizeOf(result);
      // The results that it was computed from were used after it; it has to be the last one again.
      if (results.get(name) === entry) use(entry);
      trim();
      return result;
    } catch (error) {
      entry.forget();
      throw error;
    }
  };
  return Object.assign(get, {
    has: (pack: K, parts: P): boolean => cached.get(pack)?.get(nameOf(parts))?.isDone ?? false,
  });
}

/** Removes all results of a pack that is no longer used. */
export function releasePack(pack: object): void {
  for (const ref of ofPack.get(pack) ?? []) ref.deref()?.forget();
  ofPack.delete(pack);
}

/** The number and total size of the cached results of a pack. */
export function cacheUsageOf(pack: object): { readonly results: number; readonly bytes: number } {
  const live = [...(ofPack.get(pack) ?? [])].filter((ref) => inOrderOfUse.has(ref));
  const found = live.flatMap((ref) => ref.deref() ?? []);
  return { results: found.length, bytes: found.reduce((sum, { sizeNow }) => sum + sizeNow(), 0) };
}

function use(result: Result<unknown>): void {
  const known = refs.get(result);
  const ref = known ?? new WeakRef(result);
  inOrderOfUse.delete(ref);
  inOrderOfUse.add(ref);
  if (known) return;
  refs.set(result, ref);
  for (const pack of result.packs) ofPack.set(pack, (ofPack.get(pack) ?? new Set()).add(ref));
}

function drop(result: Result<unknown>): void {
  const ref = refs.get(result);
  if (!ref) return;
  inOrderOfUse.delete(ref);
  for (const pack of result.packs) ofPack.get(pack)?.delete(ref);
}

function trim(): void {
  let totalBytes = 0;
  for (const [age, ref] of [...inOrderOfUse].reverse().entries()) {
    const result = ref.deref();
    if (!result) inOrderOfUse.delete(ref);
    else {
      const size = result.sizeNow();
      totalBytes += size;
      if (age > 0 && size > 0 && totalBytes > budgetBytes) result.forget();
    }
  }
}

const pauseIn = (parts: Parts): Pause => (typeof parts === 'function' ? parts : (parts.pause ?? noPause));
