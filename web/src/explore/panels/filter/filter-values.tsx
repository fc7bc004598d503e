import { Checkbox } from '../../../ui/checkbox.tsx';
import { compact } from '../../format/numbers.ts';
import { toggled } from '../../model/change-filter.ts';
import { useHistogram } from './use-histogram.ts';

type Props<T extends string> = {
  /** The counted property, named as in a filter. */
  readonly of: string;
  readonly values: readonly T[];
  readonly chosen: readonly T[];
  readonly nameOf: (value: T) => string;
  readonly onChange: (values: readonly T[]) => void;
};

/** Values to keep, each with the number of keywords that have it among those that all other criteria keep. */
export function FilterValues<T extends string>({ of, values, chosen, nameOf, onChange }: Props<T>) {
  const { data } = useHistogram(of);
  const counts = data?.kind === 'values' ? new Map(data.values.map(({ value, count }) => [value, count])) : undefined;
  if (data && counts && !counts.has('')) counts.set('', data.unknown);
  return (
    <ul className="m-0 grid max-h-48 list-none grid-cols-2 gap-x-4 overflow-y-auto p-0 max-[360px]:grid-cols-1">
      {values.map((value) => (
        <li key={value} className="flex min-w-0 items-center justify-between gap-2">
          <Checkbox
            label={nameOf(value)}
            checked={chosen.includes(value)}
            onChange={() => onChange(toggled(chosen, value))}
          />
          <span className="text-micro text-muted tabular-nums">{counts && compact(counts.get(value) ?? 0)}</span>
        </li>
      ))}
    </ul>
  );
}
