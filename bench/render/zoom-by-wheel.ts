import type { Page } from 'playwright-core';

/** Where the wheel is turned, as shares of the viewport: a little off the middle. */
const point = { x: 0.3, y: 0.4 };
const notches = 12;
/** A hand that turns quickly. */
const notchMs = 32;

declare global {
  var shownFrames: number[];
}

/**
 * Turns a real wheel twelve notches in and out again.
 *
 * @returns milliseconds between one frame and the next, of every frame while it turned
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
  // What the last notches set off is on the screen, too.
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
