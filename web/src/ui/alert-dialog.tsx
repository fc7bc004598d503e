import { AlertDialog as Base } from '@base-ui/react/alert-dialog';
import type { ReactNode, RefObject } from 'react';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './overlay-region.tsx';

type Props = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly description: ReactNode;
  readonly children: ReactNode;
  /** The element to focus when it opens: the harmless choice. */
  readonly initialFocus: RefObject<HTMLElement | null>;
  /** While true, the dialog cannot be closed. */
  readonly busy: boolean;
};

/** A confirmation that must be answered: a card in the centre, a bottom sheet on phones. */
export function AlertDialog({ open, onClose, title, description, children, initialFocus, busy }: Props) {
  const container = useOverlayContainer();
  return (
    <Base.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <Base.Portal container={container}>
        <Base.Backdrop className="motion fixed inset-0 z-50 bg-space-0/60 transition-opacity duration-200 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0" />
        <Base.Popup
          initialFocus={initialFocus}
          className={classNames(
            'motion fixed z-50 flex flex-col overflow-y-auto border border-line bg-surface p-6 text-ink shadow-3 outline-none transition duration-200 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0',
            'max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-dvh max-sm:rounded-t-dialog max-sm:border-x-0 max-sm:border-b-0',
            'sm:top-1/2 sm:left-1/2 sm:max-h-[calc(100dvh-2rem)] sm:w-[30rem] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-dialog',
          )}
        >
          <Base.Title className="text-h2 wrap-anywhere">{title}</Base.Title>
          <Base.Description render={<div />} className="mt-2 flex flex-col gap-2 text-body text-muted">
            {description}
          </Base.Description>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
