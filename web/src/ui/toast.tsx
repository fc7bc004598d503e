import { X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button, iconButtonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import { useDismissTimer } from './timers.ts';

export type ToastAction = { readonly label: string; readonly onAction: () => void };
type Shown = {
  readonly id: number;
  readonly text: string;
  readonly action: ToastAction | undefined;
  /** What is left of its time, in milliseconds: a dialog that opens or closes renders it again, and not for longer. */
  readonly leftMs: { current: number };
};

/** More toasts would take too much room; the oldest is removed. */
const maxShown = 3;

/** @param until ends it before its time */
type ShowToast = (text: string, action?: ToastAction, until?: AbortSignal) => void;
const Show = createContext<ShowToast | undefined>(undefined);

type Places = {
  /** Where messages are shown now: the place that was added last. */
  readonly current: HTMLElement | undefined;
  /** @returns removes it */
  readonly add: (place: HTMLElement) => () => void;
};
const MessagePlaces = createContext<Places | undefined>(undefined);

/** Provides toasts, which report background events; show one with {@link useToast}. */
export function ToastProvider({ children, lifeMs }: { readonly children: ReactNode; readonly lifeMs: number }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const [places, setPlaces] = useState<readonly HTMLElement[]>([]);
  const nextId = useRef(0);
  const close = useCallback((id: number) => setShown((now) => now.filter((one) => one.id !== id)), []);
  const show = useCallback<ShowToast>(
    (text, action, until) => {
      const id = nextId.current++;
      // The same message again replaces the one before, unless that has an action of its own.
      const others = (now: readonly Shown[]) => now.filter((one) => one.text !== text || one.action !== undefined);
      setShown((now) => [...others(now), { id, text, action, leftMs: { current: lifeMs } }].slice(-maxShown));
      until?.addEventListener('abort', () => close(id), { once: true });
    },
    [close, lifeMs],
  );
  const add = useCallback((place: HTMLElement) => {
    setPlaces((all) => [...all, place]);
    return () => setPlaces((all) => all.filter((one) => one !== place));
  }, []);
  const current = places.at(-1);
  const value = useMemo(() => ({ current, add }), [current, add]);
  return (
    <Show value={show}>
      <MessagePlaces value={value}>
        {children}
        {current &&
          createPortal(
            shown.map((one) => <Toast key={one.id} toast={one} lifeMs={lifeMs} onClose={() => close(one.id)} />),
            current,
          )}
      </MessagePlaces>
    </Show>
  );
}

/** Shows a toast: a sentence with an optional action. */
export function useToast(): ShowToast {
  const show = useContext(Show);
  if (!show) throw new Error('No place for toasts around this');
  return show;
}

/**
 * Where toasts and other messages are shown: in the flow of a page or of a dialog, so that they cover nothing. The place
 * that was added last has them, because an open dialog makes the rest of the page inert.
 */
export function MessagePlace({ className }: { readonly className?: string }) {
  const place = useRef<HTMLDivElement>(null);
  const add = useContext(MessagePlaces)?.add;
  useEffect(() => (place.current && add ? add(place.current) : undefined), [add]);
  return (
    <div
      ref={place}
      role="status"
      aria-live="polite"
      aria-atomic="false"
      className={classNames('flex min-w-0 flex-col items-center gap-1 not-empty:py-1', className)}
    />
  );
}

/** Shows its children where toasts are shown. */
export function InMessagePlace({ children }: { readonly children: ReactNode }) {
  const current = useContext(MessagePlaces)?.current;
  return current ? createPortal(children, current) : children;
}

type ToastProps = { readonly toast: Shown; readonly lifeMs: number; readonly onClose: () => void };

function Toast({ toast, lifeMs, onClose }: ToastProps) {
  const { holders } = useDismissTimer(lifeMs, onClose, toast.leftMs);
  const { text, action } = toast;
  return (
    <div
      className="motion flex max-w-full items-center gap-2 rounded-control border border-line-strong bg-sunken py-0.5 pr-1 pl-3 text-ink transition duration-200 starting:opacity-0"
      {...holders}
    >
      <p className="min-w-0 flex-1 text-small wrap-anywhere">{text}</p>
      {action && (
        <Button
          variant="ghost"
          size="dense"
          onClick={() => {
            action.onAction();
            onClose();
          }}
        >
          {action.label}
        </Button>
      )}
      <button type="button" aria-label="Close" onClick={onClose} className={iconButtonClass('dense')}>
        <X size={16} strokeWidth={2} />
      </button>
    </div>
  );
}
