import { readFileSync } from 'node:fs';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import { simdFinder } from '@kc/pack/find/find-texts';

const built = new URL('../../../../pack/dist/find-texts.wasm', import.meta.url);

/** The fastest loop for looking through names; undefined where only the one in TypeScript can run, or none was built. */
export function loadTextFinder(): TextFinder | undefined {
  try {
    return simdFinder(Uint8Array.from(readFileSync(built)));
  } catch {
    return undefined;
  }
}
