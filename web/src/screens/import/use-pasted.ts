import { useEffect, useEffectEvent } from 'react';

type Take = { readonly files: (files: readonly File[]) => void; readonly text: (text: string) => void };

/** Takes what is pasted on the page: files anywhere, text while no field has the focus. */
export function usePasted({ files, text }: Take): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    const pasted = [...(clipboardData?.files ?? [])];
    if (pasted.length > 0) return files(pasted);
    const plain = clipboardData?.getData('text/plain') ?? '';
    if (plain.trim() === '' || isField(target)) return;
    event.preventDefault();
    text(plain);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste(event);
    addEventListener('paste', listen);
    return () => removeEventListener('paste', listen);
  }, []);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
