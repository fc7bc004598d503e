import {
  cloneElement,
  createContext,
  type DOMAttributes,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from 'react';

const Container = createContext<RefObject<HTMLElement | null> | undefined>(undefined);

/** The landmark for menus, popups, dialogs and tooltips, at the end of the document. */
export function OverlayRegion({ children }: { readonly children: ReactNode }) {
  const region = useRef<HTMLElement>(null);
  return (
    <Container value={region}>
      {children}
      <section ref={region} aria-label="Menus and dialogs" />
    </Container>
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
 * Closes a popup whose button disappears, as when a window becomes as narrow as a phone: nobody could close it there.
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

/** Called with the error if the popup's script fails to load. */
export const PopupFailed = createContext<((failure: unknown) => void) | undefined>(undefined);

type Opened<Part> = {
  readonly part: Part;
  /** Whether it was opened by keyboard: then the first item is highlighted at once. */
  readonly byKey: boolean;
};

/**
 * A popup whose script is loaded on first use. Until then only the button is rendered. It looks and is announced the
 * same and keeps the focus: the real popup replaces it in one step, already open. Hovering or focusing the button
 * starts the download.
 */
export function useLazyPopup<Part>(
  trigger: Trigger,
  popup: 'menu' | 'dialog',
  load: () => Promise<Part>,
): { readonly closed: ReactElement } | Opened<Part> {
  const [opened, setOpened] = useState<Opened<Part>>();
  const failed = useContext(PopupFailed);
  const isComing = useRef(false);
  if (opened) return opened;
  const begin = () =>
    load().catch(() => {
      // A failed prefetch is ignored. The error is reported when the user opens the popup.
    });
  const open = (byKey: boolean) => {
    if (isComing.current) return;
    isComing.current = true;
    load()
      .then((part) => setOpened({ part, byKey }), failed)
      .finally(() => {
        isComing.current = false;
      });
  };
  const { onClick, onKeyDown } = trigger.props;
  const closed = cloneElement<DOMAttributes<HTMLElement> & React.AriaAttributes>(trigger, {
    'aria-haspopup': popup,
    'aria-expanded': false,
    onPointerEnter: begin,
    onFocus: begin,
    onClick: (event) => {
      onClick?.(event);
      // A click without a count comes from the keyboard or a screen reader.
      open(event.detail === 0);
    },
    onKeyDown: (event) => {
      onKeyDown?.(event);
      if (popup !== 'menu' || (event.key !== 'ArrowDown' && event.key !== 'ArrowUp')) return;
      event.preventDefault();
      open(true);
    },
  });
  return { closed };
}
