import { noPause, type Pause } from './in-pieces.ts';
import type { PackReader } from './pack-reader.ts';

/**
 * Computes something once for an open pack and caches it with the pack. Several requests may ask for it at once: if the
 * first one goes away before it is done, another one that waits computes it instead.
 *
 * @param compute gets the pause of the request that computes; an error it throws ends the computation
 */
export function oncePerPack<T, P extends { readonly pause?: Pause | undefined }>(
  compute: (pack: PackReader, parts: P) => Promise<T>,
): (pack: PackReader, parts: P) => Promise<T> {
  const cached = new WeakMap<PackReader, Promise<T>>();
  return async (pack, parts) => {
    for (let other = cached.get(pack); other; other = cached.get(pack)) {
      try {
        return await other;
      } catch {
        // Its request failed, which may concern that request alone. This one goes on unless it is unwanted, too.
        if (cached.get(pack) === other) cached.delete(pack);
        await (parts.pause ?? noPause)();
      }
    }
    const mine = compute(pack, parts);
    cached.set(pack, mine);
    try {
      return await mine;
    } catch (error) {
      if (cached.get(pack) === mine) cached.delete(pack);
      throw error;
    }
  };
}
