/** What a step looks for: a role of WAI-ARIA, or `field` for whatever can be filled, and its accessible name. */
export type Wanted = { readonly role: string; readonly name: string | RegExp };

/** A text as the source of a pattern that matches it and nothing else. */
export const literally = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Elements that have a role without naming it; the ones the stories meet. */
const implicit: Readonly<Record<string, string>> = {
  button: 'button, summary',
  field: 'input, textarea',
  heading: 'h1, h2, h3, h4, h5, h6',
  link: 'a[href]',
  radio: 'input[type=radio]',
};

/**
 * The body of a function that returns the first visible element that is wanted, or `null`.
 *
 * Roles and names are computed by axe, which has to be in the page: they are the same in every engine then.
 */
export function bodyThatFinds({ role, name }: Wanted): string {
  const pattern = typeof name === 'string' ? new RegExp(`^${literally(name)}$`) : name;
  const selector = [`[role="${role}"]`, ...(implicit[role] ? [implicit[role]] : [])].join(', ');
  return `
    const role = ${JSON.stringify(role)};
    const pattern = new RegExp(${JSON.stringify(pattern.source)}, ${JSON.stringify(pattern.flags)});
    const isSeen = (element) =>
      element.checkVisibility({ visibilityProperty: true }) && !element.closest('[aria-hidden=true], [inert]');
    axe.setup(document.documentElement);
    try {
      return [...document.querySelectorAll(${JSON.stringify(selector)})].find((element) =>
        isSeen(element) &&
        (role === 'field' || axe.commons.aria.getRole(element) === role) &&
        pattern.test(axe.commons.text.accessibleText(element).replace(/\\s+/g, ' ').trim())) ?? null;
    } finally {
      axe.teardown();
    }`;
}

/**
 * As {@link bodyThatFinds}, but only an element that a hand would hit: enabled, in the window, at rest since the last
 * look, with nothing on top of its centre.
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
