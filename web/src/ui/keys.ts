/** Whether this is an Apple platform, including tablets and phones with a keyboard. */
export const isMac: boolean = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.userAgent ?? '');

/** Whether a click adds to the selection: with the modifier key of the platform. */
export const addsTo = ({ metaKey, ctrlKey }: Pick<MouseEvent, 'metaKey' | 'ctrlKey'>, mac = isMac): boolean =>
  mac ? metaKey : ctrlKey;

/** Whether a press of the mouse opens a context menu: with the right button, or on Apple platforms with Ctrl. */
export const opensMenu = (
  { pointerType, button, ctrlKey }: Pick<PointerEvent, 'pointerType' | 'button' | 'ctrlKey'>,
  mac = isMac,
): boolean => pointerType === 'mouse' && (button === 2 || (mac && button === 0 && ctrlKey));

/**
 * A key or key combination, as labelled on this platform.
 *
 * @param key with ⌘ for the primary modifier and ⌥ for Alt
 */
export const keyName = (key: string, mac = isMac): string =>
  mac ? key : key.replace(/⌘ ?/, 'Ctrl ').replace(/⌥ ?/, 'Alt ');

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

/** Whether the focused widget needs the key itself, as text input or for type-ahead, so that no shortcut may use it. */
export function keepsKey({ tag, role, type, isEditable }: Focused, key: string): boolean {
  if (isEditable || tag === 'textarea') return true;
  if (tag === 'input') return !inputsWithoutText.has(type ?? '');
  return (tag === 'select' || rolesWithTypeAhead.has(role ?? '')) && /^[\p{L}\p{N}]$/u.test(key);
}

const inputsWithoutText: ReadonlySet<string> = new Set([
  'radio',
  'checkbox',
  'button',
  'submit',
  'reset',
  'range',
  'file',
]);
/**
 * Not the outline (`tree`) and the canvas (`application`): they have type-ahead, but leave V and the letter after it to
 * the screen, where they choose a view.
 */
const rolesWithTypeAhead: ReadonlySet<string> = new Set(['combobox', 'listbox', 'option', 'menu', 'menuitem']);

export function describeFocused(element: HTMLElement): Focused {
  return {
    tag: element.localName,
    role: element.getAttribute('role') ?? undefined,
    type: element instanceof HTMLInputElement ? element.type : undefined,
    isEditable: element.isContentEditable,
  };
}

const overlays = '[role=dialog], [role=alertdialog], [role=menu], [role=listbox]';

/** Whether a dialog, menu or list is open. Closed ones may stay in the document, hidden. */
export const isOverlayOpen = (): boolean =>
  [...document.querySelectorAll(overlays)].some((overlay) => overlay.checkVisibility());

/** Whether a key belongs to a text field, or to a dialog, menu or list that is open. */
export function isForOthers({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement) || isOverlayOpen()) return true;
  return keepsKey(describeFocused(target), key);
}
