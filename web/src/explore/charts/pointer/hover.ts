import type { Explorer } from '../../model/explorer.ts';
import { none } from '../../tree-data/no-row.ts';
import type { Point } from '../camera/camera.ts';
import type { Target } from '../canvas/shown-marks.ts';
import type { Stage } from '../canvas/stage.ts';

type HoverDeps = {
  readonly surface: HTMLElement;
  readonly stage: Pick<Stage, 'targetAt'>;
  readonly explorer: Pick<Explorer, 'hover'>;
  /** Called with what lies under a resting pointer; undefined when the pointer left it. */
  readonly onRest: (target: Target | undefined, at: Point) => void;
};

/** How far from a mark a mouse still hits it, in CSS pixels. */
export const mouseSlop = 12;
/** How long the pointer rests before the tooltip opens. */
const tooltipMs = 120;

/** Highlights the mark under the pointer, and opens the tooltip when the pointer rests. */
export function createHover({ surface, stage, explorer, onRest }: HoverDeps) {
  let timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Reports the target after a moment, so that the tooltip does not open on the way over a mark. Looks the target up
   * again then: a slice or another filter may have changed the marks.
   */
  function restSoon(target: Target | undefined, at: Point): void {
    clearTimeout(timer);
    if (!target) onRest(undefined, at);
    else timer = setTimeout(() => onRest(stage.targetAt(at.x, at.y, mouseSlop), at), tooltipMs);
  }

  return {
    over(target: Target | undefined, at: Point): void {
      explorer.hover(target ? target.row : none);
      surface.style.cursor = target ? 'pointer' : 'grab';
      restSoon(target, at);
    },
    /** Closes the tooltip. */
    hideTooltip: (at: Point): void => restSoon(undefined, at),
    leave(at: Point): void {
      explorer.hover(none);
      restSoon(undefined, at);
    },
    close: (): void => clearTimeout(timer),
  };
}
