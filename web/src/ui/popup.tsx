import { CSPProvider } from '@base-ui/react/csp-provider';
import {
  createContext,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
} from 'react';

const Container = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

/**
 * The landmark for menus, popups, dialogs and tooltips, at the end of the document. The content security policy allows no
 * style elements, so Base UI must not create any.
 */
export function OverlayRegion({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLElement>(null);
  return (
    <CSPProvider disableStyleElements>
      <Container value={region}>
        {children}
        <section ref={region} aria-label="Menus and dialogs" />
      </Container>
    </CSPProvider>
  );
}

/** The container for popups; the document's body outside an {@link OverlayRegion}. */
export function useOverlayContainer(): RefObject<HTMLElement | null> | undefined {
  return useContext(Container);
}

/** Styles shared by menus, selects and popovers. */
export const popupClass =
  'motion rounded-card border border-line bg-surface text-ink shadow-2 outline-none transition duration-150 ' +
  'data-[ending-style]:scale-[.98] data-[ending-style]:opacity-0 data-[starting-style]:scale-[.98] data-[starting-style]:opacity-0';

export const popupItemClass =
  'flex min-h-10 w-full cursor-pointer select-none items-center gap-3 rounded-control px-3 py-1.5 text-left text-body no-underline outline-none ' +
  'data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50 data-[highlighted]:bg-brand-soft data-[highlighted]:text-brand-ink touch:min-h-12';

/**
 * Closes a popup whose button disappears, as when a window becomes as narrow as a phone: there it could not be closed.
 */
export function useClosedWithButton(button: RefObject<HTMLElement | null>, isOpen: boolean, close: () => void): void {
  const end = useEffectEvent(close);
  useEffect(() => {
    if (!isOpen) return;
    const look = () => {
      if (button.current?.checkVisibility() === false) end();
    };
    addEventListener('resize', look);
    return () => removeEventListener('resize', look);
  }, [button, isOpen]);
}

/** The trigger of a popup: an element that spreads its props onto a button. */
export type Trigger = ReactElement<DOMAttributes<HTMLElement>>;
