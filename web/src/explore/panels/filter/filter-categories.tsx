import type { Field } from '@kc/rules/shapes';
import { valuesOf, withCategory } from '../../model/change-filter.ts';
import { whyWithheld } from '../../model/choices.ts';
import { valueName } from '../../model/filter-parts.ts';
import { fieldKey, figureName } from '../../tree-data/figures.ts';
import { useLook } from '../explorer-context.ts';
import { FilterDisclosure } from './filter-disclosure.tsx';
import type { FilterProps } from './filter-group.tsx';
import { FilterValues } from './filter-values.tsx';

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
  const withheld = useLook((state) => state.withheld);
  if (withheld.length === 0) return null;
  return (
    <FilterDisclosure title="Not filtered by" isUsed={false} summary={String(withheld.length)}>
      <dl className="m-0 grid grid-cols-2 gap-x-4 gap-y-1">
        {withheld.map(({ name, why }) => (
          <div key={name} className="contents">
            <dt dir="auto" className="min-w-0 break-words text-left">
              {name}
            </dt>
            <dd className="m-0 min-w-0 text-muted">{whyWithheld[why]}</dd>
          </div>
        ))}
      </dl>
      <p className="m-0 mt-2 text-micro text-muted">The details of a keyword show what the file says of it</p>
    </FilterDisclosure>
  );
}

/** Members of a set by frequency. The unknown value comes first in the data and last on screen. */
function valuesOnScreen({ kind, values, counts }: Exclude<Field, { kind: 'number' }>): string[] {
  const all = values.map((value, at) => ({ value, count: counts[at]! })).slice(1);
  if (kind === 'set') all.sort((one, other) => other.count - one.count);
  return [...all.map(({ value }) => value), ''];
}
