import {
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { useOverlayContainer } from './overlay-region.tsx';

const restMs = 300;
/** How long the pointer may take from the trigger to its tooltip. */
const graceMs = 120;
const gap = 6;

/**
 * The tooltip of a button: shown on hover and keyboard focus, hidden on leaving, on any key and on any press. The
 * pointer can move onto it. Source: WCAG 2.2, 1.4.13.
 *
 * @returns props to spread on the button, and the tooltip to render beside it
 */
export function useTooltip(text: string): { readonly holders: object; readonly tooltip: ReactNode } {
  const [anchor, setAnchor] = useState<Element>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const later = (next: Element | undefined, ms: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setAnchor(next), ms);
  };
  const hide = () => {
    clearTimeout(timer.current);
    setAnchor(undefined);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const holders = {
    onPointerEnter: ({ pointerType, currentTarget }: PointerEvent) =>
      pointerType === 'mouse' && later(currentTarget, restMs),
    onPointerLeave: () => later(undefined, graceMs),
    onPointerDown: hide,
    onFocus: ({ currentTarget }: FocusEvent) => currentTarget.matches(':focus-visible') && setAnchor(currentTarget),
    onBlur: hide,
  };
  const tooltip = anchor && (
    <Tooltip
      anchor={anchor}
      onStay={() => clearTimeout(timer.current)}
      onGone={() => later(undefined, graceMs)}
      onHide={hide}
    >
      {text}
    </Tooltip>
  );
  return { holders, tooltip };
}

type Props = {
  readonly anchor: Element;
  readonly children: string;
  readonly onStay: () => void;
  readonly onGone: () => void;
  readonly onHide: () => void;
};

/** Below the button, above it if there is no room, and inside the viewport. */
function Tooltip({ anchor, children, onStay, onGone, onHide }: Props) {
  const container = useOverlayContainer();
  const element = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has another width
  useLayoutEffect(() => {
    const shown = element.current;
    if (!shown) return;
    const { left, width, top, bottom } = anchor.getBoundingClientRect();
    const under = bottom + gap;
    const fits = under + shown.offsetHeight <= innerHeight;
    const middle = left + width / 2 - shown.offsetWidth / 2;
    shown.style.left = `${Math.max(gap, Math.min(middle, document.documentElement.clientWidth - gap - shown.offsetWidth))}px`;
    shown.style.top = `${fits ? under : top - gap - shown.offsetHeight}px`;
  }, [anchor, children]);
  // The focus may be elsewhere than the pointer.
  useEffect(() => {
    document.addEventListener('keydown', onHide);
    return () => document.removeEventListener('keydown', onHide);
  });
  return createPortal(
    <div
      ref={element}
      role="tooltip"
      onPointerEnter={onStay}
      onPointerLeave={onGone}
      className="motion fixed z-50 max-w-72 rounded-chip bg-ink px-2 py-1 text-micro font-medium text-bg shadow-2 transition-opacity duration-150 starting:opacity-0"
    >
      {children}
    </div>,
    container?.current ?? document.body,
  );
}
