import { useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Field } from '../../../ui/field.tsx';
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

/** From this many values on, those to choose from are found by typing. */
const manyValues = 25;
/** Longer values, such as addresses, need the whole width. */
const longCharacters = 24;

/** Values to keep, each with the number of keywords that have it among those that all other criteria keep. */
export function FilterValues<T extends string>({ of, values, chosen, nameOf, onChange }: Props<T>) {
  const { data } = useHistogram(of);
  const counts = data?.kind === 'values' ? new Map(data.values.map(({ value, count }) => [value, count])) : undefined;
  if (data && counts && !counts.has('')) counts.set('', data.unknown);
  const [text, setText] = useState('');
  const sought = text.trim().toLowerCase();
  // What is chosen stays in sight, so that it can be taken back.
  const listed = values.filter((value) => chosen.includes(value) || nameOf(value).toLowerCase().includes(sought));
  const isLong = values.some((value) => value.length > longCharacters);
  return (
    <>
      {values.length >= manyValues && (
        <Field
          label="Values that contain"
          hint={`${listed.length} of ${values.length}`}
          live
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="mb-2"
        />
      )}
      <ul
        className={classNames(
          'm-0 grid max-h-48 list-none gap-x-4 overflow-y-auto p-0',
          !isLong && 'grid-cols-2 max-[360px]:grid-cols-1',
        )}
      >
        {listed.map((value) => (
          <li key={value} className="flex min-w-0 items-center justify-between gap-2 wrap-anywhere">
            <Checkbox
              label={nameOf(value)}
              checked={chosen.includes(value)}
              onChange={() => onChange(toggled(chosen, value))}
            />
            <span className="text-micro text-muted tabular-nums">{counts && compact(counts.get(value) ?? 0)}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
