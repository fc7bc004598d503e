import {
  type ComponentProps,
  type FocusEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './popup.tsx';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger-ghost' | 'danger' | 'approve';
/** `dense` 32 px for tables, `default` 40, `large` 44; touch screens get 44 throughout. */
export type ButtonSize = 'dense' | 'default' | 'large';

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-brand text-on-brand hover:bg-brand-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken',
  'danger-ghost': 'text-bad hover:bg-bad-soft',
  danger: 'border border-bad bg-surface text-bad hover:bg-bad-soft',
  approve: 'border border-ok bg-surface text-ok hover:bg-ok-soft',
};

const sizes: Readonly<Record<ButtonSize, string>> = {
  dense: 'h-8 gap-1.5 px-3 text-small touch:h-11',
  default: 'h-10 gap-2 px-4 text-body touch:h-11',
  large: 'h-11 gap-2 px-5 text-body',
};

/** The class of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'default'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-control font-medium no-underline',
    'motion transition duration-[80ms] active:brightness-95 disabled:pointer-events-none disabled:opacity-50',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    variants[variant],
    sizes[size],
  );
}

type Props = ComponentProps<'button'> & {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Shown before the label, 18 px. */
  readonly icon?: ReactNode;
};

export function Button({ variant, size, icon, className, children, type = 'button', ...rest }: Props) {
  return (
    <button type={type} className={classNames(buttonClass(variant, size), className)} {...rest}>
      {icon}
      {children}
    </button>
  );
}

type IconButtonProps = Pick<
  ComponentProps<'button'>,
  'ref' | 'className' | 'onClick' | 'disabled' | 'aria-pressed' | 'aria-expanded'
> & {
  /** The accessible name, also shown as tooltip. */
  readonly label: string;
  readonly children: ReactNode;
  readonly size?: 'dense' | 'default';
};

/** The class of an icon button, for menu and popover triggers. */
export function iconButtonClass(size: 'dense' | 'default' = 'default'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center rounded-control text-muted motion transition duration-[80ms]',
    'hover:bg-sunken hover:text-ink active:brightness-95 aria-pressed:bg-brand-soft aria-pressed:text-brand-ink',
    'disabled:pointer-events-none disabled:opacity-50',
    size === 'dense' ? 'size-8 touch:size-11' : 'size-10 touch:size-11',
  );
}

export function IconButton({ label, size = 'default', className, children, ...rest }: IconButtonProps) {
  const { holders, tooltip } = useTooltip(label);
  return (
    <>
      <button
        type="button"
        aria-label={label}
        className={classNames(iconButtonClass(size), className)}
        {...rest}
        {...holders}
      >
        {children}
      </button>
      {tooltip}
    </>
  );
}

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
function useTooltip(text: string): { readonly holders: object; readonly tooltip: ReactNode } {
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

type TooltipProps = {
  readonly anchor: Element;
  readonly children: string;
  readonly onStay: () => void;
  readonly onGone: () => void;
  readonly onHide: () => void;
};

/** Below the button, above it if there is no room, and inside the viewport. */
function Tooltip({ anchor, children, onStay, onGone, onHide }: TooltipProps) {
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
