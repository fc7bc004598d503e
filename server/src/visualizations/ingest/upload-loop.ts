import { readFileSync } from 'node:fs';
import { simdLoop } from '@kc/pack/upload/json-loop-simd';
import type { UploadLoop } from '../../../../pack/src/upload/name-loop.ts';

const built = new URL('../../../../pack/dist/json-loop.wasm', import.meta.url);

/**
 * The fast loop for reading uploads; undefined if it cannot run, is not built, or was built from an earlier version's
 * sources. Uploads are then read token by token: more slowly, not refused.
 */
export function uploadLoop(binary: URL = built): UploadLoop | undefined {
  try {
    return simdLoop(Uint8Array.from(readFileSync(binary)));
  } catch {
    return undefined;
  }
}
