import { useId } from 'react';
import { classNames } from './class-names.ts';

type Props<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly disabled?: boolean }[];
  readonly onChange: (value: T) => void;
  readonly className?: string;
};

/** A few options side by side: a radio group, so arrow keys change the choice. */
export function SegmentedControl<T extends string>({ label, value, options, onChange, className }: Props<T>) {
  const name = useId();
  return (
    // Positioned, so that the visually hidden legend scrolls along with the row.
    <fieldset className={classNames('relative inline-flex rounded-control bg-sunken p-0.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className="relative flex h-8 min-w-8 cursor-pointer items-center justify-center rounded-chip px-3 text-small font-medium text-muted motion transition duration-[80ms] hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-1 dark:has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 has-disabled:cursor-not-allowed has-disabled:opacity-50 touch:h-11"
        >
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            disabled={option.disabled}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer appearance-none outline-none"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
