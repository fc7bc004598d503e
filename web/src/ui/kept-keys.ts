/** What has the focus, as far as it matters for keys. */
export type Focused = {
  /** Of the element, in small letters. */
  readonly tag: string;
  /** Its ARIA role, where it has one. */
  readonly role: string | undefined;
  /** Of an input. */
  readonly type: string | undefined;
  readonly isEditable: boolean;
};

/** Whether the widget with the focus needs the key itself: to be typed, or to jump to what begins with it. */
export function keepsKey({ tag, role, type, isEditable }: Focused, key: string): boolean {
  if (isEditable || tag === 'textarea') return true;
  if (tag === 'input') return !presses.has(type ?? '');
  return (tag === 'select' || jumping.has(role ?? '')) && /^[\p{L}\p{N}]$/u.test(key);
}

/** Inputs that nothing is typed into. */
const presses: ReadonlySet<string> = new Set(['radio', 'checkbox', 'button', 'submit', 'reset', 'range', 'file']);
/** Lists that jump by letters. The tree and the canvas do too, but leave V and what follows it to the screen. */
const jumping: ReadonlySet<string> = new Set(['combobox', 'listbox', 'option', 'menu', 'menuitem']);

export function describeFocused(element: HTMLElement): Focused {
  return {
    tag: element.localName,
    role: element.getAttribute('role') ?? undefined,
    type: element instanceof HTMLInputElement ? element.type : undefined,
    isEditable: element.isContentEditable,
  };
}

const overlays = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** Whether something is open over the page. A list that was open stays in the document, hidden. */
export const isOverlayOpen = (): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => overlay.checkVisibility());
