import { noPause, type Pause } from './in-pieces.ts';
import type { PackReader } from './pack-reader.ts';

/** What a computation gets: the pause of its request, alone or with more. */
type Parts = Pause | { readonly pause?: Pause | undefined };

/** Without a size, a pack has one result, which is part of what every question needs. It stays as long as the pack. */
type Kept<T, P> = {
  /** Tells results of the same pack apart. */
  readonly nameOf: (parts: P) => string;
  /** In bytes. A result may grow. */
  readonly sizeOf: (result: T) => number;
  /** Hears of a result that nobody gets any more. */
  readonly onForget?: (result: T) => void;
  /** Other packs that the result was computed from. */
  readonly alsoOf?: (parts: P) => readonly object[];
};

type Result<T> = {
  readonly promise: Promise<T>;
  /** 0 while it is being computed, and of a result without a size. */
  sizeNow: () => number;
  isDone: boolean;
  /** All that it was computed from. */
  readonly packs: readonly object[];
  readonly forget: () => void;
};

/** Results by pack. */
type OncePerPack<T, P, K> = {
  (pack: K, parts: P): Promise<T>;
  /** Whether it is there already. */
  has(pack: K, parts: P): boolean;
};

/**
 * For everything with a size that is computed from all open packs. A plot of ten million keywords takes 500 MiB; a server
 * sets what it can spare.
 */
let budgetBytes = 256 * 2 ** 20;

/** @returns the budget before */
export function setCacheBudget(bytes: number): number {
  const before = budgetBytes;
  budgetBytes = bytes;
  return before;
}

/** Every result, the one used last at the end. Weak, because results go with their pack when nobody has that any more. */
const inOrderOfUse = new Set<WeakRef<Result<unknown>>>();
const refs = new WeakMap<Result<unknown>, WeakRef<Result<unknown>>>();
const ofPack = new WeakMap<object, Set<WeakRef<Result<unknown>>>>();

/**
 * Computes something once for an open pack, filtered or not, and caches it with the pack. Several requests may ask for it
 * at once: if the first one goes away before it is done, another one that waits computes it instead.
 *
 * All results share one budget: beyond it, the ones that were used longest ago go. The one used last always stays.
 *
 * @param compute gets the pause of the request that computes; an error it throws ends the computation
 */
export function oncePerPack<T, P extends Parts, K extends object = PackReader>(
  compute: (pack: K, parts: P) => Promise<T>,
  kept?: Kept<T, P>,
): OncePerPack<T, P, K> {
  const cached = new WeakMap<K, Map<string, Result<T>>>();
  const nameOf = (parts: P): string => kept?.nameOf(parts) ?? '';
  const get = async (pack: K, parts: P): Promise<T> => {
    const results = cached.get(pack) ?? new Map<string, Result<T>>();
    cached.set(pack, results);
    const name = nameOf(parts);
    for (let other = results.get(name); other; other = results.get(name)) {
      try {
        use(other);
        return await other.promise;
      } catch {
        // Its request failed, which may concern that request alone. This one goes on unless it is unwanted, too.
        other.forget();
        await pauseIn(parts)();
      }
    }
    const mine: Result<T> = {
      promise: compute(pack, parts),
      sizeNow: () => 0,
      isDone: false,
      packs: [pack, ...(kept?.alsoOf?.(parts) ?? [])],
      forget: () => {
        if (results.get(name) === mine) results.delete(name);
        drop(mine);
        if (mine.isDone && kept?.onForget) mine.promise.then(kept.onForget);
      },
    };
    results.set(name, mine);
    use(mine);
    try {
      const result = await mine.promise;
      mine.isDone = true;
      if (kept) mine.sizeNow = () => kept.sizeOf(result);
      // What it is made from was used after it.
      if (results.get(name) === mine) use(mine);
      trim();
      return result;
    } catch (error) {
      mine.forget();
      throw error;
    }
  };
  return Object.assign(get, {
    has: (pack: K, parts: P): boolean => cached.get(pack)?.get(nameOf(parts))?.isDone ?? false,
  });
}

/** Forgets everything that was computed from a pack: nobody will ask it again. */
export function releasePack(pack: object): void {
  for (const ref of ofPack.get(pack) ?? []) ref.deref()?.forget();
  ofPack.delete(pack);
}

/** How much is kept that was computed from a pack. */
export function keptOf(pack: object): { readonly results: number; readonly bytes: number } {
  const kept = [...(ofPack.get(pack) ?? [])].filter((ref) => inOrderOfUse.has(ref));
  const found = kept.flatMap((ref) => ref.deref() ?? []);
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
  let kept = 0;
  for (const [age, ref] of [...inOrderOfUse].reverse().entries()) {
    const result = ref.deref();
    if (!result) inOrderOfUse.delete(ref);
    else {
      const size = result.sizeNow();
      kept += size;
      if (age > 0 && size > 0 && kept > budgetBytes) result.forget();
    }
  }
}

const pauseIn = (parts: Parts): Pause => (typeof parts === 'function' ? parts : (parts.pause ?? noPause));
