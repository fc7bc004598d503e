import type { Page } from 'playwright-core';

/** Where the wheel turns, as shares of the viewport: slightly off centre. */
const point = { x: 0.3, y: 0.4 };
const notches = 12;
/** The interval of a fast turn. */
const notchMs = 32;

declare global {
  var shownFrames: number[];
}

/**
 * Turns a real wheel twelve notches in and out again.
 *
 * @returns milliseconds between consecutive frames, for every frame during the turn
 */
export async function zoomByWheel(page: Page): Promise<number[]> {
  const { width, height } = page.viewportSize()!;
  await page.mouse.move(point.x * width, point.y * height);
  await page.evaluate(noteFrames);
  for (const by of [-100, 100]) {
    for (let notch = 0; notch < notches; notch++) {
      await page.mouse.wheel(0, by);
      await page.waitForTimeout(notchMs);
    }
  }
  // Wait until the result of the last notches is on screen.
  await page.evaluate(() => new Promise((shown) => requestAnimationFrame(() => requestAnimationFrame(shown))));
  return page.evaluate(() => globalThis.shownFrames);
}

function noteFrames(): void {
  globalThis.shownFrames = [];
  let before: number | undefined;
  const note = (now: number) => {
    if (before !== undefined) globalThis.shownFrames.push(now - before);
    before = now;
    requestAnimationFrame(note);
  };
  requestAnimationFrame(note);
}
