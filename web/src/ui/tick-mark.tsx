import { Check } from 'lucide-react';
import { classNames } from './class-names.ts';

/** The picture of a checkbox in a row. The row itself announces whether it is checked. */
export function TickMark({ isOn }: { readonly isOn: boolean }) {
  return (
    <span
      className={classNames(
        'flex size-4 items-center justify-center rounded-[4px] border',
        isOn ? 'border-brand bg-brand text-on-brand' : 'border-line-strong bg-surface',
      )}
    >
      {isOn && <Check size={12} strokeWidth={3} />}
    </span>
  );
}
