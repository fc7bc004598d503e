import { useState } from 'react';
import { useToast } from './toast.tsx';

/**
 * Copies a text to the clipboard, which only exists on pages that are served securely.
 *
 * @throws if there is none, or the browser does not allow it
 */
export const copyText = async (text: string): Promise<void> => navigator.clipboard.writeText(text);

/** Returns a function that copies a text and shows that it has, or that the browser does not allow it. */
export function useCopyText(): (text: string, done: string, refused: string) => void {
  const toast = useToast();
  return (text, done, refused) =>
    void copyText(text).then(
      () => toast(done),
      () => toast(refused),
    );
}

/**
 * A button that copies: whether it has, and what copies a text.
 *
 * @param refused the message if the browser does not allow it
 */
export function useCopied(refused: string): readonly [isCopied: boolean, copy: (text: string) => void] {
  const [isCopied, setCopied] = useState(false);
  const toast = useToast();
  const copy = (text: string) =>
    void copyText(text).then(
      () => setCopied(true),
      () => toast(refused),
    );
  return [isCopied, copy];
}
