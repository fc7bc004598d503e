/** A place in the document: an element, and which child of it. */
type Place = { readonly parent: Element; readonly nth: number };

const reachable = ['button', 'input', 'select', 'textarea', 'a[href]', '[tabindex]']
  .map((one) => `${one}:not(:disabled, [tabindex="-1"])`)
  .join();

/** Of one view: the next view takes the focus itself, once it is there. */
const pictures = '[role=application], [role=treegrid]';

/**
 * Whoever has the keyboard keeps it within `screen`: when the element with the focus goes away or is switched off, the
 * focus goes to what took its place, to what stands before it, or to what is around it.
 *
 * @param otherwise brings the focus to where it is at home
 * @returns how to stop
 */
export function keepFocus(screen: HTMLElement, otherwise: () => void): () => void {
  let last: Element | undefined;
  /** Where it was, from the inside out. */
  let places: readonly Place[] = [];
  let frame = 0;

  function remember({ target }: FocusEvent): void {
    if (!(target instanceof Element)) return;
    last = target.matches(pictures) ? undefined : target;
    places = placesOf(target, screen);
  }

  /** Somebody who clicks beside everything has let go. What goes away loses the focus just before it does. */
  function forget(): void {
    const left = last;
    queueMicrotask(() => {
      if (left === last && last && isThere(last)) last = undefined;
    });
  }

  function check(): void {
    if (!last || isThere(last)) return;
    cancelAnimationFrame(frame);
    // The browser takes the focus from what is switched off when it draws next; what opens takes it a frame later.
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

/** Whether something is open that has the keyboard, or takes it: a button may be another one once its menu is open. */
const isOverlayOver = (screen: Element): boolean =>
  [...document.querySelectorAll('[role=dialog], [role=alertdialog], [role=menu], [role=listbox]')].some(
    (one) => !screen.contains(one) && one.checkVisibility(),
  );

const isThere = (element: Element) => element.isConnected && !element.matches(':disabled');

function placesOf(element: Element, screen: Element): Place[] {
  const places: Place[] = [];
  for (let at = element; at !== screen && at.parentElement; at = at.parentElement)
    places.push({ parent: at.parentElement, nth: Array.prototype.indexOf.call(at.parentElement.children, at) });
  return places;
}

/**
 * What may have the focus at a place: its like in the child that is there now, or in the one before; what else is in them;
 * the parent itself.
 *
 * @param below the places within that child that led to what is gone, from the inside out
 */
function candidatesAt({ parent, nth }: Place, below: readonly Place[]): HTMLElement[] {
  const children = [parent.children[nth], parent.children[nth - 1]].filter((child) => child !== undefined);
  const likes = children.flatMap((child) => {
    const like = below.reduceRight<Element | undefined>((at, place) => at?.children[place.nth], child);
    return [...(like ? [like] : []), child, ...child.querySelectorAll(reachable)];
  });
  return [...likes, parent].filter((one) => one instanceof HTMLElement);
}
