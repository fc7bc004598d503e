import { type Filter, intents, noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { partsOf, typeName } from '@kc/pack/filter-words/filter-parts';
import { limits } from '@kc/rules/limits';
import { useId } from 'react';
import { Button } from '../../../ui/button.tsx';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { keywordsOf } from '../../format/figure-text.ts';
import { isKnownAnywhere } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { useSaved } from '../saved/saved.ts';
import { SavedPresets } from '../saved/saved-list.tsx';
import { usePlaceNames } from '../use-place-names.ts';
import { FilterBranches } from './filter-branches.tsx';
import { FilterMarks } from './filter-marks.tsx';
import { FilterRanges, NumberField } from './filter-ranges.tsx';
import { FilterGroup, type FilterProps } from './filter-section.tsx';
import { FilterCategories, FilterValues } from './filter-values.tsx';
import { PresetChips } from './preset-chips.tsx';
import { TextsField } from './texts-field.tsx';
import { useFilter } from './use-filter.ts';

/** Debounce while typing, in milliseconds. */
const typingMs = 300;

/** All filter criteria. Changes apply immediately. */
export function FilterPanel() {
  const { guest } = useExplorer();
  const { filter, change } = useFilter();
  return (
    <div className="flex flex-col gap-5">
      <Head filter={filter} onClear={() => change(noFilter)} />
      <PresetChips filter={filter} change={change} />
      <div className="flex flex-col gap-3">
        <TextsField label="Contains" isIn filter={filter} change={change} />
        <TextsField label="Does not contain" isIn={false} filter={filter} change={change} />
        <p className="m-0 -mt-1.5 text-micro text-muted">
          Case and accents do not count. With commas between them, several texts each have to be in a name, or none of
          them.
        </p>
        <Words filter={filter} change={change} />
      </div>
      <FilterRanges filter={filter} change={change} />
      <Intents filter={filter} change={change} />
      <Types filter={filter} change={change} />
      <FilterCategories filter={filter} change={change} />
      <Shape filter={filter} change={change} />
      <FilterMarks filter={filter} change={change} />
      <FilterBranches filter={filter} change={change} />
      {guest === undefined && <SavedFilters filter={filter} change={change} />}
      <Rest />
    </div>
  );
}

function Head({ filter, onClear }: { filter: Filter; onClear: () => void }) {
  const { tree } = useExplorer();
  useLook((state) => state.treeVersion);
  return (
    <div className="flex min-h-9 items-center gap-3">
      <p className="m-0 min-w-0 flex-1 text-small text-muted">{keywordsOf(tree, 0)}</p>
      {filter !== noFilter && (
        <Button size="dense" onClick={onClear}>
          Clear all
        </Button>
      )}
    </div>
  );
}

/** The number of words in a keyword. */
function Words({ filter, change }: FilterProps) {
  return (
    <div className="flex items-center gap-3 text-small">
      <span aria-hidden="true" className="w-20 shrink-0 font-medium">
        Words
      </span>
      <NumberField
        label="Words"
        range={filter.words}
        isWhole
        onChange={(range) => change({ ...filter, words: range }, typingMs)}
      />
    </div>
  );
}

function Intents({ filter, change }: FilterProps) {
  const { tree } = useExplorer();
  if (!isKnownAnywhere(tree, 'intent') && filter.intents.length === 0) return null;
  return (
    <FilterGroup title="Intent">
      <FilterValues
        of="intent"
        values={intents}
        chosen={filter.intents}
        nameOf={capitalised}
        onChange={(values) => change({ ...filter, intents: values })}
      />
    </FilterGroup>
  );
}

function Types({ filter, change }: FilterProps) {
  const { tree } = useExplorer();
  if (tree.types.length < 2) return null;
  return (
    <FilterGroup title="Type" note="Of a keyword itself, or of a branch that it is in">
      <FilterValues
        of="type"
        values={tree.types}
        chosen={filter.types}
        nameOf={(type) => capitalised(typeName(type))}
        onChange={(values) => change({ ...filter, types: values })}
      />
    </FilterGroup>
  );
}

/** Whether excluded nodes stay visible in the chart. */
function Rest() {
  const { store, setFilter } = useExplorer();
  const isFaint = useLook((state) => state.isFaint);
  const note = useId();
  const change = (isOn: boolean) => {
    const { filter, filtering } = store.getState();
    void setFilter(filtering ?? filter, 0, isOn);
  };
  return (
    <div className="flex items-center justify-between gap-3 border-t border-line pt-3 text-small">
      <span className="min-w-0">
        <span aria-hidden="true" className="font-semibold">
          Show filtered-out items faintly
        </span>
        <span id={note} className="block text-micro text-muted">
          Figures count matches only
        </span>
      </span>
      <Switch label="Show filtered-out items faintly" describedBy={note} checked={isFaint} onChange={change} />
    </div>
  );
}

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

const anyChildren = [
  { value: 'any', label: 'Any' },
  { value: 'yes', label: 'With' },
  { value: 'no', label: 'Without' },
] as const;

/** Criteria for a keyword's position in the tree. */
function Shape({ filter, change }: FilterProps) {
  const { hasChildren, depth } = filter;
  return (
    <FilterGroup title="Place in the tree">
      <div className="flex flex-col gap-3">
        <div className="flex items-center gap-3">
          <span aria-hidden="true" className="w-20 shrink-0">
            Level
          </span>
          <NumberField
            label="Level"
            range={depth}
            isWhole
            onChange={(range) => change({ ...filter, depth: range }, typingMs)}
          />
        </div>
        <div className="flex items-center justify-between gap-3 text-small">
          <span aria-hidden="true">Children</span>
          <SegmentedControl
            label="Children"
            value={hasChildren === undefined ? 'any' : hasChildren ? 'yes' : 'no'}
            options={anyChildren}
            onChange={(value) => change({ ...filter, hasChildren: value === 'any' ? undefined : value === 'yes' })}
          />
        </div>
      </div>
    </FilterGroup>
  );
}

const savedWords = {
  empty: 'Set a filter, and save it here for all your visualizations',
  saveAs: 'Save this filter as',
  save: 'Save filter',
} as const;

/** Filters that the user saved under a name, and a field that saves the current one under what the chips say. */
function SavedFilters({ filter, change }: FilterProps) {
  const saved = useSaved('filterPresets');
  const placeName = usePlaceNames(filter);
  const suggested = partsOf(filter, placeName)
    .map((part) => part.text)
    .join(', ')
    .slice(0, limits.maxPresetNameLength);
  return (
    <FilterGroup title="Saved filters">
      <SavedPresets
        saved={saved}
        current={writeFilter(filter)}
        suggested={suggested}
        words={savedWords}
        onApply={(text) => change(readFilter(text) ?? noFilter)}
      />
    </FilterGroup>
  );
}
