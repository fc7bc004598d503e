import { AlertDialog as Alert } from '@base-ui/react/alert-dialog';
import { Dialog as Base } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { type ReactNode, type RefObject, useRef } from 'react';
import { Button, iconButtonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './popup.tsx';
import { MessagePlace } from './toast.tsx';

type Props = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly title: string;
  readonly description?: ReactNode;
  readonly children?: ReactNode;
  /** The buttons at the bottom. */
  readonly actions?: ReactNode;
  /**
   * `center`: a card. `right`: a sheet of full height. `bottom`: a bottom sheet. `drawer`: at the right, on phones at
   * the bottom. `page`: the whole window.
   */
  readonly place?: keyof typeof places;
  readonly className?: string;
  /** The element to focus when it opens, instead of the first button. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
};

/** A modal dialog: it traps the focus, Escape closes it, and the rest of the page is inert. */
export function Dialog({
  open,
  onOpenChange,
  title,
  description,
  children,
  actions,
  place = 'center',
  className,
  initialFocus,
}: Props) {
  const container = useOverlayContainer();
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal container={container}>
        <Base.Backdrop className={backdropClass} />
        <Base.Popup initialFocus={initialFocus} className={classNames(frameClass, places[place], className)}>
          <div className="flex items-center gap-3">
            <Base.Title className="min-w-0 flex-1 py-1 text-h2 wrap-anywhere">{title}</Base.Title>
            <Base.Close aria-label="Close" className={classNames(iconButtonClass('dense'), '-mr-2')}>
              <X size={18} />
            </Base.Close>
          </div>
          <MessagePlace className="mt-1" />
          {description && <Base.Description className="mt-1 text-body text-muted">{description}</Base.Description>}
          {children && <div className="mt-4 flex-1">{children}</div>}
          {actions && <div className="mt-6 flex flex-wrap justify-end gap-3">{actions}</div>}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}

const backdropClass =
  'motion fixed inset-0 z-50 bg-space-0/60 transition-opacity duration-200 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0';

const frameClass =
  'motion fixed z-50 flex flex-col overflow-y-auto border border-line bg-surface p-6 text-ink shadow-3 outline-none transition duration-200 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0';

const places = {
  center:
    'top-1/2 left-1/2 max-h-[calc(100dvh-2rem)] w-[min(30rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 rounded-dialog short:max-h-dvh short:h-dvh',
  right:
    'inset-y-0 right-0 w-[min(22rem,100vw)] border-y-0 border-r-0 data-[ending-style]:translate-x-8 data-[starting-style]:translate-x-8',
  bottom:
    'inset-x-0 bottom-0 max-h-[85dvh] rounded-t-dialog border-x-0 border-b-0 pb-[max(1.5rem,env(safe-area-inset-bottom))] data-[ending-style]:translate-y-8 data-[starting-style]:translate-y-8',
  page: 'inset-0 rounded-none border-0 max-md:p-4',
  drawer:
    'max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-[85dvh] max-sm:rounded-t-dialog max-sm:border-x-0 max-sm:border-b-0 max-sm:pb-[max(1.5rem,env(safe-area-inset-bottom))] max-sm:data-[ending-style]:translate-y-8 max-sm:data-[starting-style]:translate-y-8 sm:inset-y-0 sm:right-0 sm:w-100 sm:border-y-0 sm:border-r-0 sm:data-[ending-style]:translate-x-8 sm:data-[starting-style]:translate-x-8',
} as const;

type AlertProps = {
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
export function AlertDialog({ open, onClose, title, description, children, initialFocus, busy }: AlertProps) {
  const container = useOverlayContainer();
  return (
    <Alert.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <Alert.Portal container={container}>
        <Alert.Backdrop className={backdropClass} />
        <Alert.Popup
          initialFocus={initialFocus}
          className={classNames(
            frameClass,
            'max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-dvh max-sm:rounded-t-dialog max-sm:border-x-0 max-sm:border-b-0',
            'sm:top-1/2 sm:left-1/2 sm:max-h-[calc(100dvh-2rem)] sm:w-[30rem] sm:-translate-x-1/2 sm:-translate-y-1/2 sm:rounded-dialog',
          )}
        >
          <Alert.Title className="text-h2 wrap-anywhere">{title}</Alert.Title>
          <Alert.Description render={<div />} className="mt-2 flex flex-col gap-2 text-body text-muted">
            {description}
          </Alert.Description>
          {children}
        </Alert.Popup>
      </Alert.Portal>
    </Alert.Root>
  );
}

type ConfirmProps = Pick<AlertProps, 'open' | 'onClose' | 'title' | 'description'> & {
  /** The harmless choice, which has the focus. */
  readonly keep?: string;
  /** The button that does it. */
  readonly act: string;
  readonly onAct: () => void;
  readonly busy?: boolean;
  /** Above the buttons: why it failed. */
  readonly children?: ReactNode;
};

/** Asks before something that cannot be undone. */
export function ConfirmDialog({ keep = 'Cancel', act, onAct, busy = false, children, ...dialog }: ConfirmProps) {
  const cancel = useRef<HTMLButtonElement>(null);
  return (
    <AlertDialog {...dialog} initialFocus={cancel} busy={busy}>
      {children}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button ref={cancel} disabled={busy} onClick={dialog.onClose}>
          {keep}
        </Button>
        <Button variant="danger" disabled={busy} onClick={onAct}>
          {act}
        </Button>
      </div>
    </AlertDialog>
  );
}
