import { Toast as Base } from '@base-ui/react/toast';
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { iconButtonClass } from './icon-button.tsx';
import { useOverlayContainer } from './overlay-region.tsx';

export type ToastAction = { readonly label: string; readonly onAction: () => void };

/** Results of what goes on in the background. Wrap the pages in it; show one with {@link useToast}. */
export function ToastProvider({ children, lifeMs }: { readonly children: ReactNode; readonly lifeMs: number }) {
  return (
    <Base.Provider timeout={lifeMs}>
      {children}
      <Toasts />
    </Base.Provider>
  );
}

/** Shows a toast: a sentence, and perhaps one thing to do about it. */
export function useToast(): (text: string, action?: ToastAction) => void {
  const { add } = Base.useToastManager();
  return (text, action) => {
    add({
      title: text,
      ...(action ? { actionProps: { children: action.label, onClick: action.onAction } } : {}),
    });
  };
}

function Toasts() {
  const { toasts } = Base.useToastManager();
  const container = useOverlayContainer();
  return (
    <Base.Portal container={container}>
      <Base.Viewport className="fixed inset-x-4 bottom-4 z-50 mx-auto flex max-w-sm flex-col gap-2 md:right-6 md:bottom-6 md:left-auto md:mx-0">
        {toasts.map((toast) => (
          <Base.Root
            key={toast.id}
            toast={toast}
            className="motion rounded-card border border-line bg-surface text-ink shadow-2 transition duration-200 data-[ending-style]:opacity-0 data-[starting-style]:translate-y-2 data-[starting-style]:opacity-0"
          >
            <Base.Content className="flex items-center gap-3 py-2 pr-2 pl-4">
              <Base.Title className="min-w-0 flex-1 text-body" />
              {toast.actionProps && <Base.Action render={<Button variant="ghost" size="dense" />} />}
              <Base.Close aria-label="Close" className={iconButtonClass('dense')}>
                <X size={16} aria-hidden />
              </Base.Close>
            </Base.Content>
          </Base.Root>
        ))}
      </Base.Viewport>
    </Base.Portal>
  );
}
