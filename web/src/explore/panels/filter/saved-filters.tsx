import { noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import { limits } from '@kc/rules/limits';
import { SavedTextList } from '../saved/saved-texts.tsx';
import { useSavedTexts } from '../saved/use-saved-texts.ts';
import { usePlaceNames } from '../use-place-names.ts';
import { FilterGroup, type FilterProps } from './filter-section.tsx';

const words = {
  empty: 'Set a filter, and save it here for all your visualizations',
  saveAs: 'Save this filter as',
  save: 'Save filter',
} as const;

/** Filters that the user saved under a name, and a field that saves the current one under what the chips say. */
export function SavedFilters({ filter, change }: FilterProps) {
  const saved = useSavedTexts('filterPresets');
  const placeName = usePlaceNames(filter);
  const suggested = partsOf(filter, placeName)
    .map((part) => part.text)
    .join(', ')
    .slice(0, limits.maxPresetNameLength);
  return (
    <FilterGroup title="Saved filters">
      <SavedTextList
        saved={saved}
        current={writeFilter(filter)}
        suggested={suggested}
        words={words}
        onApply={(text) => change(readFilter(text) ?? noFilter)}
      />
    </FilterGroup>
  );
}
