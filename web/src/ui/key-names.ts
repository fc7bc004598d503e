/** Whether keys are those of a Mac. A tablet or a phone of its maker has them too, if any. */
export const isMac: boolean = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.userAgent ?? '');

/**
 * A key, or keys at once, as the keyboard here names them.
 *
 * @param key with ⌘ for the key that goes with a letter and ⌥ for the one beside it
 */
export const keyName = (key: string, mac = isMac): string =>
  mac ? key : key.replace(/⌘ ?/, 'Ctrl ').replace(/⌥ ?/, 'Alt ');
