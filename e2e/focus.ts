import type { Page } from 'playwright-core';

type Stop = { readonly known: boolean; readonly shown: boolean; readonly text: string; readonly what: string };

/** More tab stops than any screen has: a walk this long would be a loop. */
const maxStops = 400;

/** Marks the visited elements, and returns how the focused element shows its focus; null outside the page. */
const look = `(() => {
  const focused = document.activeElement;
  if (!focused || focused === document.body) return null;
  const known = focused.dataset.walked === 'yes';
  focused.dataset.walked = 'yes';
  let shown = false;
  for (let one = focused, up = 0; one && up < 3; one = one.parentElement, up++) {
    const { outlineStyle, outlineWidth } = getComputedStyle(one);
    shown ||= outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  }
  return { known, shown, text: focused.innerText ?? '', what: focused.outerHTML.slice(0, 120) };
})()`;

/** A blurred element would remain the starting point of the next Tab. What an earlier walk marked may still be there. */
const fromTheTop = `(() => {
  for (const one of document.querySelectorAll('[data-walked]')) delete one.dataset.walked;
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
})()`;

/**
 * Walks through a screen with Tab, and returns each stop without a visible outline or a name. A screen without any stop
 * is a problem as well.
 */
export async function focusProblems(page: Page): Promise<string[]> {
  const problems: string[] = [];
  await page.evaluate(fromTheTop);
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press('Tab');
    const at = await page.evaluate<Stop | null>(look);
    if (at === null || at.known) return stop === 0 ? ['Tab reaches nothing'] : problems;
    if (!at.shown) problems.push(`no visible focus: ${at.what}`);
    if (at.text.trim()) continue;
    const spoken = await page.locator(':focus').ariaSnapshot();
    if (!/^- [a-z]+ "[^"]+"/.test(spoken)) problems.push(`no accessible name: ${spoken} ${at.what}`);
  }
  return [...problems, `Tab does not come round within ${maxStops} stops`];
}
