import { type ReactNode, useId } from 'react';

type Props<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly {
    readonly value: T;
    readonly label: string;
    readonly help?: string;
    readonly disabled?: boolean;
  }[];
  readonly onChange: (value: T) => void;
  /** Shown at the end of the row. */
  readonly children?: ReactNode;
};

/** A labelled row of radio buttons, in the form "Group (•) By meaning ( ) By columns". */
export function RadioRow<T extends string>({ label, value, options, onChange, children }: Props<T>) {
  const name = useId();
  const help = options.find((option) => option.value === value)?.help;
  return (
    <fieldset className="relative min-w-0 sm:grid sm:grid-cols-[4.5rem_minmax(0,1fr)]">
      {/* A legend is no grid item. */}
      <legend className="sr-only">{label}</legend>
      <span aria-hidden className="py-1.5 font-medium text-small touch:py-3">
        {label}
      </span>
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-5 gap-y-1">
          {options.map((option) => (
            <label
              key={option.value}
              className="flex min-h-8 cursor-pointer items-center gap-2 text-body has-disabled:cursor-not-allowed has-disabled:text-muted touch:min-h-11"
            >
              <input
                type="radio"
                name={name}
                value={option.value}
                checked={option.value === value}
                disabled={option.disabled}
                aria-describedby={option.value === value && help ? `${name}-help` : undefined}
                onChange={() => onChange(option.value)}
                className="size-4.5 shrink-0 accent-brand"
              />
              {option.label}
            </label>
          ))}
          {children}
        </div>
        {help && (
          <p id={`${name}-help`} className="text-muted text-small">
            {help}
          </p>
        )}
      </div>
    </fieldset>
  );
}
