import { readFileSync } from 'node:fs';
import { simdLoop } from '@kc/pack/upload/json-loop-simd';
import type { UploadLoop } from '../../../../pack/src/upload/name-loop.ts';

const built = new URL('../../../../pack/dist/json-loop.wasm', import.meta.url);

/**
 * The fastest loop for reading an upload; undefined where only the one in TypeScript can run. That is also so where none
 * was built, or one of other sources is left from an earlier version: an upload is then read more slowly, not refused.
 */
export function uploadLoop(binary: URL = built): UploadLoop | undefined {
  try {
    return simdLoop(Uint8Array.from(readFileSync(binary)));
  } catch {
    return undefined;
  }
}
