import type { goneWeights } from '../layout/gone-weights.ts';
import type { drawGone } from './draw-gone.ts';
import type { drawSigns } from './draw-signs.ts';
import type { drawWarnings } from './draw-warnings.ts';
import type { veilLeftOut } from './filtered-out.ts';
import type { markScale, stepsOfMarks } from './mark-scales.ts';
import type { seasonNote, seasonScale } from './season-scale.ts';

/**
 * What paints comparisons, plans, seasons, warnings and what a filter excludes. Most visits show none of them, so it is
 * loaded when something needs it.
 */
export type MarkPainting = {
  readonly markScale: typeof markScale;
  readonly stepsOfMarks: typeof stepsOfMarks;
  readonly seasonScale: typeof seasonScale;
  /** What its colours mean. */
  readonly seasonNote: typeof seasonNote;
  readonly goneWeights: typeof goneWeights;
  readonly drawGone: typeof drawGone;
  readonly drawSigns: typeof drawSigns;
  readonly drawWarnings: typeof drawWarnings;
  readonly veilLeftOut: typeof veilLeftOut;
};

let loaded: MarkPainting | undefined;

/** Undefined until {@link loadMarkPainting} has succeeded once. */
export const markPainting = (): MarkPainting | undefined => loaded;

export async function loadMarkPainting(): Promise<void> {
  if (loaded) return;
  const [
    { markScale, stepsOfMarks },
    { seasonScale, seasonNote },
    { goneWeights },
    { drawGone },
    { drawSigns },
    { drawWarnings },
    { veilLeftOut },
  ] = await Promise.all([
    import('./mark-scales.ts'),
    import('./season-scale.ts'),
    import('../layout/gone-weights.ts'),
    import('./draw-gone.ts'),
    import('./draw-signs.ts'),
    import('./draw-warnings.ts'),
    import('./filtered-out.ts'),
  ]);
  loaded = {
    markScale,
    stepsOfMarks,
    seasonScale,
    seasonNote,
    goneWeights,
    drawGone,
    drawSigns,
    drawWarnings,
    veilLeftOut,
  };
}
