import {
  cloneElement,
  createContext,
  type DOMAttributes,
  type ReactElement,
  useContext,
  useRef,
  useState,
} from 'react';

/** The button of a popup, as it is given: an element that spreads what it gets onto a button. */
export type Trigger = ReactElement<DOMAttributes<HTMLElement>>;

/** Told why a popup that somebody asked for does not come. */
export const PopupFailed = createContext<((failure: unknown) => void) | undefined>(undefined);

type Opened<Part> = {
  readonly part: Part;
  /** Whether a key asked for it: then the first thing in it is chosen at once. */
  readonly byKey: boolean;
};

/**
 * A popup whose script is loaded for its first opening. Until then the button stands alone, looks and is announced the
 * same, and keeps the focus: what replaces it comes in one step, already open. Pointing at it or reaching it by keyboard
 * begins the loading.
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
      // Nobody has asked for it yet. Who does is told.
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
      // Without a count of presses it was a key, or a screen reader.
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
