import type { drawSigns } from './draw-signs.ts';
import type { markScale, stepsOfMarks } from './mark-scales.ts';
import type { seasonNote, seasonScale } from './season-scale.ts';

/** What paints comparisons, plans and seasons. Most visits show none of them, so it is loaded when a colour needs it. */
export type MarkPainting = {
  readonly markScale: typeof markScale;
  readonly stepsOfMarks: typeof stepsOfMarks;
  readonly seasonScale: typeof seasonScale;
  /** What its colours mean. */
  readonly seasonNote: typeof seasonNote;
  readonly drawSigns: typeof drawSigns;
};

let loaded: MarkPainting | undefined;

/** Undefined until {@link loadMarkPainting} has succeeded once. */
export const markPainting = (): MarkPainting | undefined => loaded;

export async function loadMarkPainting(): Promise<void> {
  if (loaded) return;
  const [{ markScale, stepsOfMarks }, { seasonScale, seasonNote }, { drawSigns }] = await Promise.all([
    import('./mark-scales.ts'),
    import('./season-scale.ts'),
    import('./draw-signs.ts'),
  ]);
  loaded = { markScale, stepsOfMarks, seasonScale, seasonNote, drawSigns };
}
