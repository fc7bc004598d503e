/** A position in the document: a parent element and a child index. */
type Place = { readonly parent: Element; readonly nth: number };

const reachable = ['button', 'input', 'select', 'textarea', 'a[href]', '[tabindex]']
  .map((one) => `${one}:not(:disabled, [tabindex="-1"])`)
  .join();

/** Selects the content of a view. A new view takes the focus itself once it has loaded. */
const pictures = '[role=application], [role=treegrid], [role=grid]';

/**
 * Keeps keyboard focus within `screen`. When the focused element is removed or disabled, the focus moves to its
 * replacement, its previous sibling or its container.
 *
 * @param otherwise moves the focus to its default element
 * @returns a function that stops it
 */
export function keepFocus(screen: HTMLElement, otherwise: () => void): () => void {
  let last: Element | undefined;
  /** The last position of the focus, from the inside out. */
  let places: readonly Place[] = [];
  let frame = 0;

  function remember({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return;
    last = target.matches(pictures) ? undefined : target;
    places = placesOf(target, screen);
  }

  /** Clicking on empty space releases the focus. An element that is removed loses focus just before. */
  function forget(): void {
    const left = last;
    queueMicrotask(() => {
      if (left === last && last && canTakeFocus(last)) last = undefined;
    });
  }

  function check(): void {
    if (!last || canTakeFocus(last)) return;
    cancelAnimationFrame(frame);
    // Browsers blur a disabled element at the next frame; an overlay that opens takes the focus one frame later.
    frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(giveOn);
    });
  }

  function giveOn(): void {
    if (document.activeElement !== document.body || isOverlayOver(screen)) return;
    last = undefined;
    const next = places
      .flatMap((place, above) => (place.parent === screen ? [] : candidatesAt(place, places.slice(0, above))))
      .find((one) => one.isConnected && one.matches(reachable) && one.checkVisibility());
    if (next) next.focus();
    else otherwise();
  }

  const observer = new MutationObserver(check);
  observer.observe(screen, { childList: true, subtree: true, attributeFilter: ['disabled'] });
  screen.addEventListener('focusin', remember);
  screen.addEventListener('focusout', forget);
  return () => {
    cancelAnimationFrame(frame);
    observer.disconnect();
    screen.removeEventListener('focusin', remember);
    screen.removeEventListener('focusout', forget);
  };
}

/** Whether an overlay is open that has or takes the focus: its trigger may re-render once the menu is open. */
const isOverlayOver = (screen: Element): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')].some(
    (one) => !screen.contains(one) && one.checkVisibility(),
  );

const canTakeFocus = (element: Element) => element.isConnected && !element.matches(':disabled');

function placesOf(element: Element, screen: Element): Place[] {
  const places: Place[] = [];
  for (let at = element; at !== screen && at.parentElement; at = at.parentElement)
    places.push({ parent: at.parentElement, nth: Array.prototype.indexOf.call(at.parentElement.children, at) });
  return places;
}

/**
 * Elements that may take the focus at a position: the equivalent element in the child that is there now, or in the
 * previous one; then anything else in them; then the parent itself.
 *
 * @param below positions within that child that led to the removed element, from the inside out
 */
function candidatesAt({ parent, nth }: Place, below: readonly Place[]): HTMLElement[] {
  const children = [parent.children[nth], parent.children[nth - 1]].filter((child) => child !== undefined);
  const likes = children.flatMap((child) => {
    const like = below.reduceRight<Element | undefined>((at, place) => at?.children[place.nth], child);
    return [...(like ? [like] : []), child, ...child.querySelectorAll(reachable)];
  });
  return [...likes, parent].filter((one) => one instanceof HTMLElement);
}
