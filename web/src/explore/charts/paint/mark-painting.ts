import type { drawSigns } from './draw-signs.ts';
import type { markScale, stepsOfMarks } from './mark-scales.ts';

/** What paints comparisons and plans. Most visits show neither, so it is loaded when a colour needs it. */
export type MarkPainting = {
  readonly markScale: typeof markScale;
  readonly stepsOfMarks: typeof stepsOfMarks;
  readonly drawSigns: typeof drawSigns;
};

let loaded: MarkPainting | undefined;

/** Undefined until {@link loadMarkPainting} has succeeded once. */
export const markPainting = (): MarkPainting | undefined => loaded;

export async function loadMarkPainting(): Promise<void> {
  if (loaded) return;
  const [scales, signs] = await Promise.all([import('./mark-scales.ts'), import('./draw-signs.ts')]);
  loaded = { markScale: scales.markScale, stepsOfMarks: scales.stepsOfMarks, drawSigns: signs.drawSigns };
}
