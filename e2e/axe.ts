import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Longer animations are not transitions (banner timers, the stars): waiting for them would change what is checked. */
const fadeMs = 1000;

/** The rules whose result depends on colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

type Part = {
  /** A selector; the whole page by default. */
  readonly within?: string;
  /** Only what another theme can change: the rest was checked in the first theme. */
  readonly coloursOnly?: boolean;
  /** Text needs 7:1, because the user asks for more contrast. */
  readonly enhanced?: boolean;
  /** Rules that do not apply here. */
  readonly leftOut?: readonly string[];
};

/** Runs axe once transitions have ended, because colours are undefined in between. Returns one line per finding. */
export async function violations(
  page: Page,
  { within, coloursOnly = false, enhanced = false, leftOut = [] }: Part = {},
): Promise<string[]> {
  // A click that had to be tried again may have scrolled, and axe counts what a sticky header then half covers as too small.
  await page.evaluate(`scrollTo(0, 0), new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    .then(() => document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration < ${fadeMs}))
    .then((fades) => Promise.allSettled(fades.map((one) => one.finished)))
    .then(() => undefined)`);
  // Half a megabyte of script; still loaded if the page was checked before.
  const isThere = await page.evaluate<boolean>(`typeof axe === 'object'`);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: '0' } : {}) })
    // Without frames of other origins, the second page that axe opens by default is not needed.
    .setLegacyMode(true)
    // WCAG 2.2, 2.5.8: at least 24 px, or spacing; axe checks it only on request. Excluded: the focus guards of an open
    // popup, which pass the focus on at once.
    .exclude('[data-base-ui-focus-guard]')
    .options({
      // Reports findings only: describing passed elements takes as long as checking them.
      resultTypes: ['violations'],
      ...(coloursOnly && { runOnly: enhanced ? [...colourRules, 'color-contrast-enhanced'] : colourRules }),
      rules: {
        ...(enhanced && { 'color-contrast-enhanced': { enabled: true } }),
        ...(!coloursOnly && { 'target-size': { enabled: true } }),
        ...Object.fromEntries(leftOut.map((rule) => [rule, { enabled: false }])),
      },
    });
  const { violations: found } = await (within ? axe.include(within) : axe).analyze();
  return found.flatMap((rule) =>
    rule.nodes.map(({ target, any }) =>
      [rule.id, rule.help, target.join(' '), ...any.map(({ message }) => message)].join(': '),
    ),
  );
}
