import type { ReactNode } from 'react';
import { exact } from '../format/figure-text.ts';

type Chip<T extends string> = {
  readonly value: T;
  readonly label: string;
  /** Before the label; it says nothing more. */
  readonly sign: ReactNode;
  readonly count: number;
};

type Props<T extends string> = {
  readonly legend: string;
  readonly chips: readonly Chip<T>[];
  readonly value: T | undefined;
  readonly onChange: (value: T | undefined) => void;
};

/** How many there are of each kind. A pressed one filters the list. */
export function ToggleChips<T extends string>({ legend, chips, value, onChange }: Props<T>) {
  return (
    <fieldset className="m-0 flex min-w-0 flex-wrap gap-1 border-0 p-0">
      <legend className="sr-only">{legend}</legend>
      {chips.map((chip) => (
        <button
          key={chip.value}
          type="button"
          aria-pressed={chip.value === value}
          onClick={() => onChange(chip.value === value ? undefined : chip.value)}
          className="inline-flex min-h-8 items-center gap-1 rounded-full border border-line px-2.5 text-small hover:border-brand aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink touch:min-h-11"
        >
          {chip.sign}
          {chip.label}
          <span className="text-muted tabular-nums">{exact(chip.count)}</span>
        </button>
      ))}
    </fieldset>
  );
}
