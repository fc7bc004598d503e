export type PresentationAct = 'next' | 'previous' | 'first' | 'last' | 'leave';

/** Keys without modifiers. Presentation remotes send Page Up and Page Down. */
const acts: Readonly<Record<string, PresentationAct>> = {
  ArrowRight: 'next',
  PageDown: 'next',
  ' ': 'next',
  ArrowLeft: 'previous',
  PageUp: 'previous',
  Home: 'first',
  End: 'last',
  Escape: 'leave',
  p: 'leave',
  P: 'leave',
};
/** Chart keys for a closer look stay available. Tab and Enter are for the buttons. */
const left: ReadonlySet<string> = new Set(['Tab', 'Enter', 'Shift', '+', '=', '-', '0', '1', '2']);

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * The action of a key in presentation mode: `page` leaves the key to the page, `nothing` blocks keys whose targets are
 * hidden.
 *
 * @param isOnButton whether a button has the focus, which Space presses
 */
export function presentationKey(pressed: Pressed, isOnButton: boolean): PresentationAct | 'page' | 'nothing' {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (ctrlKey || metaKey || altKey || left.has(key) || (key === ' ' && isOnButton)) return 'page';
  if (key === ' ' && shiftKey) return 'previous';
  return acts[key] ?? 'nothing';
}
