import { readFileSync } from 'node:fs';
import type { TextFinder } from '@kc/pack/find/find-fallback';
import { simdFinder } from '@kc/pack/find/find-texts';

const built = new URL('../../../../pack/dist/find-texts.wasm', import.meta.url);

/** The fastest name search; undefined if it is not built or cannot run here, so that the TypeScript version runs. */
export function loadTextFinder(): TextFinder | undefined {
  try {
    return simdFinder(Uint8Array.from(readFileSync(built)));
  } catch {
    return undefined;
  }
}
