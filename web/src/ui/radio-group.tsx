import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';

type Option<T extends string> = { readonly value: T; readonly label: string; readonly disabled?: boolean };

type Props<T extends string, O extends Option<T> = Option<T>> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly O[];
  readonly onChange: (value: T) => void;
};

const choice = 'cursor-pointer has-disabled:cursor-not-allowed';

/** What makes inputs the radio buttons of one group, so that arrow keys change the choice. */
function useRadios<T extends string>({ value, onChange }: Pick<Props<T>, 'value' | 'onChange'>) {
  const name = useId();
  const radio = (option: Option<T>) => ({
    type: 'radio',
    name,
    value: option.value,
    checked: option.value === value,
    disabled: option.disabled,
    onChange: () => onChange(option.value),
  });
  return { name, radio };
}

type SegmentedControlProps<T extends string> = Props<T> & { readonly className?: string };

/** A few options side by side. */
export function SegmentedControl<T extends string>({ label, options, className, ...group }: SegmentedControlProps<T>) {
  const { radio } = useRadios(group);
  return (
    // Positioned, so that the visually hidden legend scrolls along with the row.
    <fieldset className={classNames('relative inline-flex rounded-control bg-sunken p-0.5', className)}>
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            choice,
            'relative flex h-8 min-w-8 items-center justify-center rounded-chip px-3 text-small font-medium text-muted motion transition duration-[80ms] hover:text-ink has-checked:bg-surface has-checked:text-ink has-checked:shadow-1 dark:has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 has-disabled:opacity-50 touch:h-11',
          )}
        >
          <input {...radio(option)} className="absolute inset-0 cursor-pointer appearance-none outline-none" />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}

type RadioRowProps<T extends string> = Props<T, Option<T> & { readonly help?: string }> & {
  /** Shown at the end of the row. */
  readonly children?: ReactNode;
};

/** A labelled row, in the form "Group (•) By meaning ( ) By columns", with help about the choice. */
export function RadioRow<T extends string>({ label, options, children, ...group }: RadioRowProps<T>) {
  const { name, radio } = useRadios(group);
  const help = options.find((option) => option.value === group.value)?.help;
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
              className={classNames(
                choice,
                'flex min-h-8 items-center gap-2 text-body has-disabled:text-muted touch:min-h-11',
              )}
            >
              <input
                {...radio(option)}
                aria-describedby={option.value === group.value && help ? `${name}-help` : undefined}
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

type RadioCardsProps<T extends string> = Props<T, Option<T> & { readonly help: ReactNode }> & {
  readonly className: string;
};

/** Cards with a line of help for each option. @param className the columns of the grid */
export function RadioCards<T extends string>({ label, options, className, ...group }: RadioCardsProps<T>) {
  const { radio } = useRadios(group);
  return (
    <fieldset className={classNames('m-0 grid min-w-0 gap-2 border-0 p-0', className)}>
      <legend className="mb-1.5 p-0 text-small font-medium">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={classNames(
            choice,
            'flex min-h-9 items-start gap-2.5 rounded-control border border-line-strong px-3 py-2 text-small hover:bg-sunken has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-focus-visible:outline-offset-2 has-disabled:text-muted touch:min-h-11',
          )}
        >
          <input {...radio(option)} className="mt-0.5 size-4 shrink-0 accent-brand outline-none" />
          <span className="min-w-0 wrap-anywhere">
            <span className="font-medium">{option.label}</span>
            {option.help !== '' && <span className="block text-muted">{option.help}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}
