/**
 * Copies a text to the clipboard, which only exists on pages that are served securely.
 *
 * @throws if there is none, or the browser does not allow it
 */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);
