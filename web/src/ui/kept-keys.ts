/** The properties of the focused element that matter for keyboard shortcuts. */
export type Focused = {
  /** Tag name, lower-case. */
  readonly tag: string;
  /** Its ARIA role, if any. */
  readonly role: string | undefined;
  /** Type of an input. */
  readonly type: string | undefined;
  readonly isEditable: boolean;
};

/** Whether the focused widget handles the key itself: as text input, or for type-ahead. */
export function keepsKey({ tag, role, type, isEditable }: Focused, key: string): boolean {
  if (isEditable || tag === 'textarea') return true;
  if (tag === 'input') return !presses.has(type ?? '');
  return (tag === 'select' || jumping.has(role ?? '')) && /^[\p{L}\p{N}]$/u.test(key);
}

/** Input types without text entry. */
const presses: ReadonlySet<string> = new Set(['radio', 'checkbox', 'button', 'submit', 'reset', 'range', 'file']);
/** Roles with type-ahead. The tree and the canvas have it too, but leave V and the letters after it to the screen. */
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

/** Whether an overlay is open. Closed lists may stay in the document, hidden. */
export const isOverlayOpen = (): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => overlay.checkVisibility());
