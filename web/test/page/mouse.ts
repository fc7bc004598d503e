import { cdp } from 'vitest/browser';

export type Point = { readonly x: number; readonly y: number };
type Button = 'none' | 'left';

/** As Chromium counts them. */
const modifiers = { none: 0, Alt: 1, Shift: 8 } as const;
export type Held = keyof typeof modifiers;

async function dispatch(
  type: 'mousePressed' | 'mouseReleased' | 'mouseMoved' | 'mouseWheel',
  { x, y }: Point,
  more: {
    readonly button?: Button;
    readonly buttons?: number;
    readonly deltaX?: number;
    readonly deltaY?: number;
  } = {},
  held: Held = 'none',
): Promise<void> {
  // The test's page is a frame of the browser's.
  const { left, top } = window.frameElement!.getBoundingClientRect();
  const clicks = type === 'mousePressed' || type === 'mouseReleased' ? 1 : 0;
  await cdp().send('Input.dispatchMouseEvent', {
    type,
    x: left + x,
    y: top + y,
    clickCount: clicks,
    modifiers: modifiers[held],
    ...more,
  });
}

/** The mouse itself, for what no control stands for. Points are CSS pixels of the window. */
export const mouse = {
  move: (to: Point) => dispatch('mouseMoved', to),
  wheel: (at: Point, deltaY: number) => dispatch('mouseWheel', at, { deltaX: 0, deltaY }),
  async click(at: Point): Promise<void> {
    await dispatch('mouseMoved', at);
    await dispatch('mousePressed', at, { button: 'left', buttons: 1 });
    await dispatch('mouseReleased', at, { button: 'left' });
  },
  /** Presses at the first point and releases at the last one, on a straight way between each two. */
  async drag(points: readonly Point[], { held = 'none', steps = 8 }: { held?: Held; steps?: number } = {}) {
    let at = points[0]!;
    await dispatch('mouseMoved', at, {}, held);
    await dispatch('mousePressed', at, { button: 'left', buttons: 1 }, held);
    for (const next of points.slice(1)) {
      for (let step = 1; step <= steps; step++) {
        const place = { x: at.x + ((next.x - at.x) * step) / steps, y: at.y + ((next.y - at.y) * step) / steps };
        await dispatch('mouseMoved', place, { button: 'left', buttons: 1 }, held);
      }
      at = next;
    }
    await dispatch('mouseReleased', at, { button: 'left' }, held);
  },
};

/** The middle of an element. */
export function middleOf(element: Element): Point {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
