export type PresentationAct = 'next' | 'previous' | 'first' | 'last' | 'leave';

/** Keys by themselves; Page Up and Page Down are what the remote controls of presenters send. */
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
/** What the picture does by keys and people look closer with; Tab and Enter are for the buttons. */
const left: ReadonlySet<string> = new Set(['Tab', 'Enter', 'Shift', '+', '=', '-', '0', '1', '2']);

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/**
 * What a key does while views are presented: `page` is what it does anyway, `nothing` what it would do to what is hidden.
 *
 * @param isOnButton whether a button has the focus, which Space presses
 */
export function presentationKey(pressed: Pressed, isOnButton: boolean): PresentationAct | 'page' | 'nothing' {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed;
  if (ctrlKey || metaKey || altKey || left.has(key) || (key === ' ' && isOnButton)) return 'page';
  if (key === ' ' && shiftKey) return 'previous';
  return acts[key] ?? 'nothing';
}
