import { readFileSync } from 'node:fs';
import { simdLoop } from '@kc/pack/upload/json-loop-simd';
import type { UploadLoop } from '../../../../pack/src/upload/name-loop.ts';

const built = new URL('../../../../pack/dist/json-loop.wasm', import.meta.url);

/**
 * The fastest loop for reading uploads; undefined if only the TypeScript version can run, including when it is not
 * built, or built from an earlier version's sources. Uploads are then read more slowly, not refused.
 */
export function uploadLoop(binary: URL = built): UploadLoop | undefined {
  try {
    return simdLoop(Uint8Array.from(readFileSync(binary)));
  } catch {
    return undefined;
  }
}
