import { say } from '@kc/rules/all-messages';
import { limits } from '@kc/rules/limits';
import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { useWindowEvent } from '../../ui/use-window-event.ts';
import { pastedFile } from './import-files.ts';

/**
 * Handles what is pasted on the page: files anywhere, text while no field has the focus. Text becomes a file in a
 * dialog.
 *
 * @param mayOpen whether the dialog may open; it reports why not
 */
export function usePasted(take: (files: readonly File[]) => void, mayOpen = () => true) {
  const [text, setText] = useState<{ readonly number: number; readonly first: string; readonly isOpen: boolean }>();
  const close = () => setText((last) => last && { ...last, isOpen: false });
  const open = (first: string) => {
    if (mayOpen()) setText((last) => ({ number: (last?.number ?? 0) + 1, first, isOpen: true }));
  };
  useWindowEvent('paste', (event) => {
    const { clipboardData, target } = event;
    const pasted = [...(clipboardData?.files ?? [])];
    if (pasted.length > 0) return take(pasted);
    const plain = clipboardData?.getData('text/plain') ?? '';
    if (plain.trim() === '' || isField(target)) return;
    event.preventDefault();
    open(plain);
  });
  const dialog = text && (
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
  );
  return { openPaste: () => open(''), dialog };
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));

type Props = {
  readonly open: boolean;
  /** What was pasted on the page already. */
  readonly first: string;
  readonly onClose: () => void;
  readonly onFile: (file: File) => void;
};

/** "Paste a list": a text box whose content becomes a file. */
function PasteDialog({ open, first, onClose, onFile }: Props) {
  const [text, setText] = useState(first);
  const [isTooLarge, setIsTooLarge] = useState(false);
  const id = useId();
  const take = () => {
    const file = pastedFile(text);
    setIsTooLarge(file === undefined);
    if (file) onFile(file);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={(next) => !next && onClose()}
      title="Paste a list"
      description="One keyword per line, or a table with a header as your keyword tool copies it."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={text.trim() === ''} onClick={take}>
            Read this list
          </Button>
        </>
      }
    >
      <label htmlFor={id} className="font-medium text-small">
        Keywords
      </label>
      <textarea
        id={id}
        value={text}
        rows={10}
        spellCheck={false}
        aria-invalid={isTooLarge || undefined}
        aria-describedby={isTooLarge ? `${id}-note` : undefined}
        onChange={(event) => setText(event.target.value)}
        className="mt-1.5 w-full rounded-control border border-line-strong bg-surface p-3 font-mono text-ink text-small touch:text-touch"
      />
      {isTooLarge && (
        <p id={`${id}-note`} role="alert" className="mt-1 text-bad text-small">
          {say('list/pasted-too-large', { mb: limits.maxPastedBytes / 1024 / 1024 })}
        </p>
      )}
    </Dialog>
  );
}
