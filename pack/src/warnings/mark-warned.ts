import { eachPiece, noPause, type Pause } from '../format/in-pieces.ts';
import type { PackReader } from '../format/pack-reader.ts';
import type { OpenWarnings } from './open-warnings.ts';
import type { WarningKind } from './warning-kinds.ts';
import { eachPlace } from './warning-marks.ts';

/** 1 for each node that an open warning of some kinds is about, and for everything in it. */
export async function markWarned(
  pack: PackReader,
  open: OpenWarnings,
  kinds: readonly WarningKind[],
  pause: Pause = noPause,
): Promise<Uint8Array> {
  const marked = new Uint8Array(pack.metadata.nodes);
  for (const kind of kinds) {
    eachPlace(open, kind, (row) => {
      marked[row] = 1;
    });
  }
  const parent = await pack.column('parent');
  // Parents come first.
  await eachPiece(marked.length, pause, (from, end) => {
    for (let row = Math.max(1, from); row < end; row++) marked[row]! |= marked[parent[row]!]!;
  });
  return marked;
}
