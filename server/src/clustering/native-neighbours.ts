import type { NeighbourSearch } from '@kc/cluster/neighbours/neighbours';
import { type Usearch, usearchNeighbours } from '@kc/cluster/neighbours/usearch';

/**
 * Nearest neighbours by the native package `usearch`.
 *
 * @throws if it is not installed, or not for this platform
 */
export async function nativeNeighbours(): Promise<NeighbourSearch> {
  return usearchNeighbours((await import('usearch')) as unknown as Usearch);
}
