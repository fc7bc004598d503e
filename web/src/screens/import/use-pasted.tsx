import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';

const PasteDialog = lazy(async () => ({ default: (await import('./paste-dialog.tsx')).PasteDialog }));

/**
 * Takes what is pasted on the page: files anywhere, text while no field has the focus. Text becomes a file in a dialog.
 *
 * @param mayOpen whether the dialog may open; it says why not
 */
export function usePasted(take: (files: readonly File[]) => void, mayOpen = () => true) {
  const [text, setText] = useState<{ readonly number: number; readonly first: string; readonly isOpen: boolean }>();
  const close = () => setText((last) => last && { ...last, isOpen: false });
  const open = (first: string) => {
    if (mayOpen()) setText((last) => ({ number: (last?.number ?? 0) + 1, first, isOpen: true }));
  };
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const { clipboardData, target } = event;
    const pasted = [...(clipboardData?.files ?? [])];
    if (pasted.length > 0) return take(pasted);
    const plain = clipboardData?.getData('text/plain') ?? '';
    if (plain.trim() === '' || isField(target)) return;
    event.preventDefault();
    open(plain);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent) => paste(event);
    addEventListener('paste', listen);
    return () => removeEventListener('paste', listen);
  }, []);
  const dialog = (
    <Suspense>
      {text && (
        <PasteDialog
          key={text.number}
          open={text.isOpen}
          first={text.first}
          onClose={close}
          onFile={(file) => {
            close();
            take([file]);
          }}
        />
      )}
    </Suspense>
  );
  return { openPaste: () => open(''), dialog };
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
