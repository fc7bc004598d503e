import { Select as Base } from '@base-ui/react/select';
import { Check, ChevronDown } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { classNames } from './class-names.ts';
import { popupClass, popupItemClass, useOverlayContainer } from './popup.tsx';

type SelectProps<T extends string> = {
  readonly label: string;
  /** Whether the label is visible, or only for screen readers. */
  readonly showLabel?: boolean;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly onChange: (value: T) => void;
  readonly disabled?: boolean;
  readonly size?: 'dense' | 'default';
  readonly className?: string;
  /** ID of a text that explains why the value is fixed. */
  readonly describedBy?: string;
  /** -1 removes it from the tab order. */
  readonly tabIndex?: number;
  /** Whether the list is open; for selects that shortcuts open as well. */
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  /** The element to focus once the list has closed, unless the focus has moved elsewhere; the button by default. */
  readonly returnTo?: () => HTMLElement | null;
};

/** A labelled listbox that opens from a button. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, showLabel = true, value, options, onChange, disabled = false, size = 'default', onOpenChange } = props;
  const container = useOverlayContainer();
  const popup = useRef<HTMLDivElement>(null);
  const chosen = options.find((option) => option.value === value);
  const { returnTo } = props;
  return (
    <Base.Root
      value={value}
      onValueChange={(next) => next !== null && onChange(next)}
      disabled={disabled}
      items={options}
      {...(props.open === undefined ? {} : { open: props.open })}
      {...(onOpenChange ? { onOpenChange: (next: boolean) => onOpenChange(next) } : {})}
    >
      <div className={classNames('flex min-w-0 flex-col gap-1.5', props.className)}>
        {showLabel && <Base.Label className="text-small font-medium text-ink">{label}</Base.Label>}
        <Base.Trigger
          {...(showLabel ? {} : { 'aria-label': label })}
          aria-describedby={props.describedBy}
          {...(props.tabIndex === undefined ? {} : { tabIndex: props.tabIndex })}
          className={selectTriggerClass(size)}
        >
          {chosen?.mark}
          <span dir="auto" className="min-w-0 flex-1 truncate text-left">
            <Base.Value />
          </span>
          <ChevronDown size={16} className="shrink-0 text-muted" />
        </Base.Trigger>
      </div>
      <Base.Portal container={container}>
        <Base.Positioner sideOffset={6} alignItemWithTrigger={false} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
            ref={popup}
            {...(returnTo ? { finalFocus: () => isFocusFree(popup.current) && returnTo() } : {})}
            className={classNames(
              popupClass,
              'max-h-[min(24rem,var(--available-height))] min-w-[max(10rem,var(--anchor-width))] max-w-[var(--available-width)] overflow-y-auto p-1.5',
            )}
          >
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  disabled={option.disabled ?? false}
                  className={popupItemClass}
                >
                  {option.mark}
                  <Base.ItemText dir="auto" className="min-w-0 flex-1 truncate text-left">
                    {option.label}
                  </Base.ItemText>
                  <Base.ItemIndicator className="text-brand">
                    <Check size={16} strokeWidth={2} />
                  </Base.ItemIndicator>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * Whether the focus has not moved while the list faded out. Moving it back then would close a list opened meanwhile.
 */
const isFocusFree = (popup: HTMLElement | null): boolean => {
  const at = document.activeElement;
  return at === null || at === document.body || popup?.contains(at) === true;
};

export type SelectOption<T extends string> = {
  readonly value: T;
  readonly label: string;
  /** Shown before the label: a dot or an icon. */
  readonly mark?: ReactNode;
  readonly disabled?: boolean;
};

/** The class of the select's button. */
export const selectTriggerClass = (size: 'dense' | 'default'): string =>
  classNames(
    'flex w-full min-w-0 items-center rounded-control border border-line-strong bg-surface text-left text-ink',
    'motion transition duration-[80ms] hover:bg-sunken disabled:cursor-not-allowed disabled:opacity-60',
    size === 'dense' ? 'h-8 gap-1.5 px-2 text-small touch:h-11' : 'h-10 gap-2 px-3 text-body touch:h-11',
  );

type ClosedProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly SelectOption<T>[];
  readonly disabled?: boolean;
  readonly describedBy?: string;
  readonly tabIndex?: number;
  readonly onOpen: () => void;
};

/**
 * A closed select as a plain button, for places with many selects. It looks and is announced like the real one and
 * costs much less. `onOpen` should render the real one, open.
 */
export function ClosedSelect<T extends string>(props: ClosedProps<T>) {
  const chosen = props.options.find((option) => option.value === props.value);
  return (
    <button
      type="button"
      role="combobox"
      aria-label={props.label}
      aria-haspopup="listbox"
      aria-expanded="false"
      aria-describedby={props.describedBy}
      disabled={props.disabled}
      tabIndex={props.tabIndex}
      className={selectTriggerClass('dense')}
      onClick={props.onOpen}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
        event.preventDefault();
        props.onOpen();
      }}
    >
      {chosen?.mark}
      <span className="min-w-0 flex-1 truncate">{chosen?.label}</span>
      <ChevronDown size={16} className="shrink-0 text-muted" />
    </button>
  );
}
