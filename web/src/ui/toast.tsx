import { X } from 'lucide-react';
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from 'react';
import { Button } from './button.tsx';
import { iconButtonClass } from './icon-button.tsx';
import { useDismissTimer } from './use-dismiss-timer.ts';

export type ToastAction = { readonly label: string; readonly onAction: () => void };
type Shown = { readonly id: number; readonly text: string; readonly action: ToastAction | undefined };

/** More toasts would cover the page; the oldest is removed. */
const mostShown = 3;

type ShowToast = (text: string, action?: ToastAction) => void;
const Show = createContext<ShowToast | undefined>(undefined);

/** Provides toasts, which report background events; show one with {@link useToast}. */
export function ToastProvider({ children, lifeMs }: { readonly children: ReactNode; readonly lifeMs: number }) {
  const [shown, setShown] = useState<readonly Shown[]>([]);
  const nextId = useRef(0);
  const show = useCallback<ShowToast>((text, action) => {
    const id = nextId.current++;
    setShown((now) => [...now, { id, text, action }].slice(-mostShown));
  }, []);
  const close = (id: number) => setShown((now) => now.filter((one) => one.id !== id));
  return (
    <Show value={show}>
      {children}
      <div
        role="status"
        // A live region of its own: an open dialog hides the rest of the page from screen readers.
        aria-live="polite"
        aria-atomic="false"
        className="fixed inset-x-4 bottom-4 z-[60] mx-auto flex max-w-sm flex-col gap-2 md:right-6 md:bottom-6 md:left-auto md:mx-0"
      >
        {shown.map((one) => (
          <Toast key={one.id} toast={one} lifeMs={lifeMs} onClose={() => close(one.id)} />
        ))}
      </div>
    </Show>
  );
}

/** Shows a toast: a sentence with an optional action. */
export function useToast(): ShowToast {
  const show = useContext(Show);
  if (!show) throw new Error('No place for toasts around this');
  return show;
}

type ToastProps = { readonly toast: Shown; readonly lifeMs: number; readonly onClose: () => void };

function Toast({ toast, lifeMs, onClose }: ToastProps) {
  const { holders } = useDismissTimer(lifeMs, onClose);
  const { text, action } = toast;
  return (
    <div
      className="motion flex items-center gap-3 rounded-card border border-line bg-surface py-2 pr-2 pl-4 text-ink shadow-2 transition duration-200 starting:translate-y-2 starting:opacity-0"
      {...holders}
    >
      <p className="min-w-0 flex-1 text-body">{text}</p>
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
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
