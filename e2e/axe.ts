import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright-core';

/** Longer animations are no fades (the life of a banner, the stars): waiting for them would change what is seen. */
const fadeMs = 1000;

/**
 * What axe finds, a line a place, once fades have ended: a colour half-way through one is nobody's to judge.
 *
 * @param within a selector; all of the page without one
 */
export async function violations(page: Page, within?: string): Promise<string[]> {
  await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
    .then(() => document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration < ${fadeMs}))
    .then((fades) => Promise.allSettled(fades.map((one) => one.finished)))
    .then(() => undefined)`);
  const axe = new AxeBuilder({ page })
    // Without frames of other origins there is no need of a second page, which the usual way opens each time.
    .setLegacyMode(true)
    // WCAG 2.2, 2.5.8: at least 24 px, or room around; axe looks at it only when asked.
    // Ends of an open popup that hand the focus on at once; nobody ever stands on one.
    .exclude('[data-base-ui-focus-guard]')
    .options({ rules: { 'target-size': { enabled: true } } });
  const { violations: found } = await (within ? axe.include(within) : axe).analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${rule.help}: ${node.target.join(' ')}`));
}
