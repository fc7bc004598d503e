import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

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
      <ChevronDown size={16} strokeWidth={1.75} className="shrink-0 text-muted" aria-hidden />
    </button>
  );
}
