/** A target of a step: an ARIA role, or `field` for any form field, and its accessible name. */
export type Wanted = { readonly role: string; readonly name: string | RegExp };

/** The source of a regular expression that matches exactly this text. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Elements with implicit roles, as far as the stories use them. */
const implicit: Readonly<Record<string, string>> = {
  button: 'button, summary',
  field: 'input, textarea',
  heading: 'h1, h2, h3, h4, h5, h6',
  link: 'a[href]',
  radio: 'input[type=radio]',
};

/**
 * The body of a function that returns the first visible matching element, or `null`.
 *
 * axe computes roles and names, so they are the same in every engine. It must be loaded in the page.
 */
export function bodyThatFinds({ role, name }: Wanted): string {
  const pattern = typeof name === 'string' ? new RegExp(`^${literally(name)}$`) : name;
  const selector = [`[role="${role}"]`, ...(implicit[role] ? [implicit[role]] : [])].join(', ');
  return `
    const role = ${JSON.stringify(role)};
    const pattern = new RegExp(${JSON.stringify(pattern.source)}, ${JSON.stringify(pattern.flags)});
    const isSeen = (element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], [inert]');
    const seen = [...document.querySelectorAll(${JSON.stringify(selector)})].filter(isSeen);
    // Setting up axe reads the whole page.
    if (seen.length === 0) return null;
    axe.setup(document.documentElement);
    try {
      return seen.find((element) =>
        (role === 'field' || axe.commons.aria.getRole(element) === role) &&
        pattern.test(axe.commons.text.accessibleText(element).replace(/\\s+/g, ' ').trim())) ?? null;
    } finally {
      axe.teardown();
    }`;
}

/**
 * Like {@link bodyThatFinds}, but only for an element that a click would hit: enabled, in the viewport, not moving, and
 * not covered at its centre. An element counts as moving if the previous query found one at another place.
 */
export function bodyThatReaches(wanted: Wanted): string {
  return `
    const element = (() => {${bodyThatFinds(wanted)}})();
    if (!element || element.disabled || element.getAttribute('aria-disabled') === 'true') return null;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    const { x, y, width, height } = element.getBoundingClientRect();
    const place = [x, y, width, height].join();
    const isAtRest = window.lastPlace === place;
    window.lastPlace = place;
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    const isOnTop = top !== null && (element.contains(top) || top.closest('label')?.control === element);
    return isAtRest && isOnTop ? element : null;`;
}
