import { figureName } from '@kc/pack/filter-words/figure-name';
import { valueName } from '@kc/pack/filter-words/filter-parts';
import type { Field as FileField } from '@kc/rules/shapes';
import { useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Field } from '../../../ui/field.tsx';
import { compact } from '../../format/figure-text.ts';
import { toggled, valuesOf, withCategory } from '../../model/change-filter.ts';
import { withholdingReasons } from '../../model/choices.ts';
import { fieldKey } from '../../tree-data/figures.ts';
import { useLook } from '../explorer-context.ts';
import { FilterDisclosure, type FilterProps } from './filter-section.tsx';
import { useHistogram } from './use-filter.ts';

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

/** Fields of the file with one or several names per keyword as values: stages, owners, SERP features. */
export function FilterCategories({ filter, change }: FilterProps) {
  const fields = useLook((state) => state.fields);
  return (
    <div className="border-b border-line empty:hidden">
      {fields?.map((field) => {
        if (field.kind === 'number') return null;
        const chosen = valuesOf(filter, field.name);
        return (
          <FilterDisclosure
            key={field.name}
            title={figureName(fieldKey(field.name))}
            isUsed={chosen.length > 0}
            summary={chosen.map(valueName).join(', ')}
          >
            {field.kind === 'set' && <p className="m-0 mb-1 text-micro text-muted">Keywords that have any of these</p>}
            <FilterValues
              of={fieldKey(field.name)}
              values={valuesOnScreen(field)}
              chosen={chosen}
              nameOf={valueName}
              onChange={(values) => change(withCategory(filter, field.name, values))}
            />
          </FilterDisclosure>
        );
      })}
      <Withheld />
    </div>
  );
}

/** The other members of the file, and why they cannot be filtered. */
function Withheld() {
  const withheld = useLook((state) => state.withheldFields);
  if (withheld.length === 0) return null;
  return (
    <FilterDisclosure title="Not filtered by" isUsed={false} summary={String(withheld.length)}>
      <dl className="m-0 grid grid-cols-2 gap-x-4 gap-y-1">
        {withheld.map(({ name, why }) => (
          <div key={name} className="contents">
            <dt dir="auto" className="min-w-0 break-words text-left">
              {name}
            </dt>
            <dd className="m-0 min-w-0 text-muted">{withholdingReasons[why]}</dd>
          </div>
        ))}
      </dl>
      <p className="m-0 mt-2 text-micro text-muted">The details of a keyword show what the file says of it</p>
    </FilterDisclosure>
  );
}

/** Members of a set by frequency. The unknown value comes first in the data and last on screen. */
function valuesOnScreen({ kind, values, counts }: Exclude<FileField, { kind: 'number' }>): string[] {
  const all = values.map((value, at) => ({ value, count: counts[at]! })).slice(1);
  if (kind === 'set') all.sort((one, other) => other.count - one.count);
  return [...all.map(({ value }) => value), ''];
}
