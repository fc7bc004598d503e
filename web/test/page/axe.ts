import axe from 'axe-core';

/** Longer animations are not transitions: a banner's timer, the stars. */
const fadeMs = 1000;

type Options = {
  /** Only what depends on colours, where text needs 7:1. */
  readonly enhanced?: boolean;
};

/**
 * What axe finds in the page as it is, or in a part of it, one line per finding. Other themes and sizes are for the
 * stories, which look at every screen in all of them.
 */
export async function violations(
  within: Element = document.body,
  { enhanced = false }: Options = {},
): Promise<string[]> {
  const fades = document
    .getAnimations()
    .filter((one) => Number(one.effect!.getComputedTiming().activeDuration) < fadeMs);
  await Promise.allSettled(fades.map((one) => one.finished));
  const { violations: found } = await axe.run(within, {
    resultTypes: ['violations'],
    ...(enhanced && { runOnly: ['color-contrast', 'color-contrast-enhanced', 'link-in-text-block'] }),
    rules: enhanced
      ? { 'color-contrast-enhanced': { enabled: true } }
      : { 'target-size': { enabled: true }, region: { enabled: within === document.body } },
  });
  return found.flatMap((rule) => rule.nodes.map((node) => `${rule.id}: ${rule.help}: ${node.target.join(' ')}`));
}
