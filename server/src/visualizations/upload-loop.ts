import { readFileSync } from 'node:fs';
import { simdLoop } from '@kc/pack/json-loop-simd';
import type { JsonLoop } from '@kc/pack/json-memory';

const binary = new URL('../../../pack/dist/json-loop.wasm', import.meta.url);

/** The fastest loop for reading an upload; undefined where only the one in TypeScript can run, or no other was built. */
export function uploadLoop(): JsonLoop | undefined {
  try {
    return simdLoop(Uint8Array.from(readFileSync(binary)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
