import { Check } from 'lucide-react';
import { classNames } from './class-names.ts';

type Props = {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly surface?: 'ground' | 'space';
};

/** A checkbox with its label; the label is part of the target. */
export function Checkbox({ label, checked, onChange, surface = 'ground' }: Props) {
  return (
    <label className="flex min-h-8 cursor-pointer items-center gap-2.5 touch:min-h-11">
      <span className="relative inline-flex size-5 items-center justify-center">
        <input
          type="checkbox"
          checked={checked}
          onChange={(event) => onChange(event.target.checked)}
          className={classNames(
            'absolute inset-0 cursor-pointer appearance-none rounded-[5px] border',
            surface === 'space'
              ? 'border-space-border bg-space-0 checked:border-star-violet checked:bg-star-violet'
              : 'border-line-strong bg-surface checked:border-brand checked:bg-brand',
          )}
        />
        {checked && (
          <Check
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
      {label}
    </label>
  );
}
