import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Longer animations are no fades (the life of a banner, the stars): waiting for them would change what is seen. */
const fadeMs = 1000;

/** The rules whose verdict hangs on colours. */
export const colourRules = ['color-contrast', 'link-in-text-block'];

type Part = {
  /** A selector; all of the page without one. */
  readonly within?: string;
  /** Only what another theme can change: everything else was looked at in the first one. */
  readonly coloursOnly?: boolean;
  /** Text is to be 7:1, as who asks for more contrast is given. */
  readonly enhanced?: boolean;
  /** Rules that cannot judge this. */
  readonly leftOut?: readonly string[];
};

/** What axe finds, a line a place, once fades have ended: a colour half-way through one is nobody's to judge. */
export async function violations(
  page: Page,
  { within, coloursOnly = false, enhanced = false, leftOut = [] }: Part = {},
): Promise<string[]> {
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    .then(() => document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration < ${fadeMs}))
    .then((fades) => Promise.allSettled(fades.map((one) => one.finished)))
    .then(() => undefined)`);
  // Half a megabyte of script, which is there still when the page was looked at before.
  const isThere = await page.evaluate<boolean>(`typeof axe === 'object'`);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: '0' } : {}) })
    // Without frames of other origins there is no need of a second page, which the usual way opens each time.
    .setLegacyMode(true)
    // WCAG 2.2, 2.5.8: at least 24 px, or room around; axe looks at it only when asked.
    // Ends of an open popup that hand the focus on at once; nobody ever stands on one.
    .exclude('[data-base-ui-focus-guard]')
    .options({
      // What it does not find is not told either: describing every element takes as long as judging it.
      resultTypes: ['violations'],
      ...(coloursOnly && { runOnly: enhanced ? [...colourRules, 'color-contrast-enhanced'] : colourRules }),
      rules: {
        ...(enhanced && { 'color-contrast-enhanced': { enabled: true } }),
        ...(!coloursOnly && { 'target-size': { enabled: true } }),
        ...Object.fromEntries(leftOut.map((rule) => [rule, { enabled: false }])),
      },
    });
  const { violations: found } = await (within ? axe.include(within) : axe).analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${rule.help}: ${node.target.join(' ')}`));
}
