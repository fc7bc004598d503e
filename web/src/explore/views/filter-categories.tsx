import { valuesOf, withCategory } from '../state/change-filter.ts';
import { valueName } from '../state/filter-parts.ts';
import { fieldKey, figureName } from '../store/figures.ts';
import { useLook } from './explorer-context.ts';
import { FilterDisclosure } from './filter-disclosure.tsx';
import type { FilterProps } from './filter-panel.tsx';
import { FilterValues } from './filter-values.tsx';

/** The file's own fields whose values are names: SERP features, stages, owners. */
export function FilterCategories({ filter, change }: FilterProps) {
  const fields = useLook((state) => state.fields);
  return fields?.map((field) => {
    if (field.kind !== 'category') return null;
    const chosen = valuesOf(filter, field.name);
    return (
      <FilterDisclosure
        key={field.name}
        title={figureName(fieldKey(field.name))}
        isUsed={chosen.length > 0}
        summary={chosen.map(valueName).join(', ')}
      >
        <FilterValues
          of={fieldKey(field.name)}
          // The unknown one stands first in the list, and last on the screen.
          values={[...field.values.slice(1), '']}
          chosen={chosen}
          nameOf={valueName}
          onChange={(values) => change(withCategory(filter, field.name, values))}
        />
      </FilterDisclosure>
    );
  });
}
