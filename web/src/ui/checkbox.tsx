import { Check, Minus } from 'lucide-react';
import { classNames } from './class-names.ts';

type Props = {
  readonly label: string;
  readonly checked: boolean;
  /** @param shift whether Shift was pressed */
  readonly onChange: (checked: boolean, shift: boolean) => void;
  readonly surface?: 'ground' | 'space';
  /** Whether the label is visible, or only for screen readers. */
  readonly showLabel?: boolean;
  /** Indeterminate: some of the items it stands for are checked. */
  readonly mixed?: boolean;
  readonly tabIndex?: number;
};

/** A checkbox with its label, which is part of the click target. */
export function Checkbox({
  label,
  checked,
  onChange,
  surface = 'ground',
  showLabel = true,
  mixed = false,
  tabIndex,
}: Props) {
  const Mark = mixed ? Minus : Check;
  return (
    <label className="flex min-h-8 min-w-8 cursor-pointer items-center gap-2.5 touch:min-h-11">
      <span className="relative inline-flex size-5 shrink-0 items-center justify-center">
        <input
          type="checkbox"
          {...(showLabel ? {} : { 'aria-label': label })}
          ref={(input) => {
            if (input) input.indeterminate = mixed;
          }}
          checked={checked}
          tabIndex={tabIndex}
          onChange={({ target, nativeEvent }) =>
            onChange(target.checked, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)
          }
          className={classNames(
            'absolute inset-0 cursor-pointer appearance-none rounded-[5px] border',
            surface === 'space'
              ? 'border-space-border bg-space-0 checked:border-star-violet checked:bg-star-violet'
              : 'border-line-strong bg-surface checked:border-brand checked:bg-brand indeterminate:border-brand indeterminate:bg-brand',
          )}
        />
        {(checked || mixed) && (
          <Mark
            size={14}
            strokeWidth={3}
            aria-hidden
            className={classNames(
              'pointer-events-none relative',
              surface === 'space' ? 'text-space-0' : 'text-on-brand',
            )}
          />
        )}
      </span>
      {showLabel && label}
    </label>
  );
}
