const key = 'explorer.single-keys';

/** Whether single-character shortcuts are on. Stored on this device. Source: WCAG 2.2, 2.1.4. */
export const singleKeysOn = (): boolean => localStorage.getItem(key) !== 'off';

export const setSingleKeys = (on: boolean): void => localStorage.setItem(key, on ? 'on' : 'off');

/** Whether a letter begins a sequence of the screen, so that lists do not jump to names with it: V 1, G 1. */
export const beginsSequence = (pressed: string): boolean => (pressed === 'v' || pressed === 'g') && singleKeysOn();

/** Whether a key press types a character: letters, digits and symbols without ⌘, Ctrl or Alt. */
export function isSingleKey({ key: pressed, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return pressed.length === 1 && pressed !== ' ' && !ctrlKey && !metaKey && !altKey;
}
