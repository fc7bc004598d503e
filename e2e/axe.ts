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
  const axe = new AxeBuilder({ page });
  const { violations: found } = await (within ? axe.include(within) : axe).analyze();
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${rule.help}: ${node.target.join(' ')}`));
}
