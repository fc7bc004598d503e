import { Switch as BaseSwitch } from '@base-ui/react/switch';
import { Check, Minus } from 'lucide-react';
import { useId } from 'react';
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

type SwitchProps = {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly disabled?: boolean;
  /** ID of a text that explains what it does, or why it is disabled. */
  readonly describedBy?: string;
};

/** A switch that takes effect at once. The label is for screen readers; render a visible one beside it. */
export function Switch({ label, checked, onChange, disabled = false, describedBy }: SwitchProps) {
  return (
    <BaseSwitch.Root
      aria-label={label}
      aria-describedby={describedBy}
      checked={checked}
      onCheckedChange={(next) => onChange(next)}
      disabled={disabled}
      className="relative inline-flex h-6 w-11 shrink-0 cursor-pointer items-center rounded-full border border-line-strong bg-sunken p-0.5 motion transition duration-[120ms] after:absolute after:-inset-2.5 data-[checked]:border-brand data-[checked]:bg-brand data-[disabled]:cursor-not-allowed data-[disabled]:opacity-50"
    >
      <BaseSwitch.Thumb className="motion size-4.5 rounded-full bg-muted transition duration-[120ms] data-[checked]:translate-x-5 data-[checked]:bg-on-brand" />
    </BaseSwitch.Root>
  );
}

type SwitchRowProps = {
  readonly label: string;
  readonly help: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
};

/** A switch after what it is and does. */
export function SwitchRow({ label, help, checked, onChange }: SwitchRowProps) {
  const id = useId();
  return (
    <div className="flex items-start justify-between gap-4">
      <div className="min-w-0">
        <p aria-hidden="true" className="m-0 text-small font-medium">
          {label}
        </p>
        <p id={id} className="m-0 text-small text-muted">
          {help}
        </p>
      </div>
      <Switch label={label} describedBy={id} checked={checked} onChange={onChange} />
    </div>
  );
}

type SwitchSetProps<Item extends string> = {
  readonly legend: string;
  readonly items: readonly Item[];
  readonly words: Readonly<Record<Item, readonly [label: string, help: string]>>;
  readonly chosen: ReadonlySet<Item>;
  readonly onChange: (chosen: ReadonlySet<Item>) => void;
};

/** Switches of which at least one has to be on. */
export function SwitchSet<Item extends string>({ legend, items, words, chosen, onChange }: SwitchSetProps<Item>) {
  return (
    <fieldset className="m-0 flex min-w-0 flex-col gap-3 border-0 p-0">
      <legend className="mb-1 p-0 text-small font-medium">{legend}</legend>
      {items.map((item) => (
        <SwitchRow
          key={item}
          label={words[item][0]}
          help={words[item][1]}
          checked={chosen.has(item)}
          onChange={(isOn) => onChange(new Set(items.filter((one) => (one === item ? isOn : chosen.has(one)))))}
        />
      ))}
      {chosen.size === 0 && <p className="m-0 text-bad text-small">Choose at least one.</p>}
    </fieldset>
  );
}
