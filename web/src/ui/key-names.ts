/** Whether this is an Apple platform, including tablets and phones with a keyboard. */
export const isMac: boolean = /Mac|iP(hone|ad|od)/.test(globalThis.navigator?.userAgent ?? '');

/**
 * A key or key combination, as labelled on this platform.
 *
 * @param key with ⌘ for the primary modifier and ⌥ for Alt
 */
export const keyName = (key: string, mac = isMac): string =>
  mac ? key : key.replace(/⌘ ?/, 'Ctrl ').replace(/⌥ ?/, 'Alt ');
