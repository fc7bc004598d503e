import type { NeighbourSearch } from '@kc/cluster/neighbours/neighbours';
import { productNeighbours } from '@kc/cluster/neighbours/product-search';
import { type Usearch, usearchNeighbours } from '@kc/cluster/neighbours/usearch';
import { nativeProducts } from './native-products.ts';

/**
 * Nearest neighbours by the native code of ONNX Runtime, or by the package `usearch` where only that runs.
 *
 * @throws if neither is installed, or not for this platform
 */
export async function nativeNeighbours(): Promise<NeighbourSearch> {
  try {
    return productNeighbours(await nativeProducts());
  } catch {
    return usearchNeighbours((await import('usearch')) as unknown as Usearch);
  }
}
