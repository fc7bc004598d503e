import { brandField } from '@kc/pack/filter/brand-field';
import type { Filter } from '@kc/pack/filter/filter';
import { brandText, languagesText, quickText, risingText } from '@kc/pack/filter-words/preset-parts';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { isKnownAnywhere } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { FilterGroup, type FilterProps } from './filter-section.tsx';
import { BrandTerms, LanguageChoice, QuickNumbers, RisingNumbers } from './preset-editors.tsx';
import { type PresetMemory, usePresetMemory } from './preset-memory.ts';

type ChipName = 'questions' | 'quick' | 'rising' | 'brand' | 'nonBrand';

/** The one-click conditions. Each states its numbers; one that the file cannot answer is absent. */
export function PresetChips(props: FilterProps) {
  const { filter, change } = props;
  const { quick, rising, brand, questions } = filter;
  const [edited, setEdited] = useState<ChipName>();
  const memory = usePresetMemory(filter);
  const can = useAnswerable(filter);
  const marked = useLook((state) => brandField(state.fields ?? []) !== undefined);
  const editing = (name: ChipName) => ({
    isEdited: edited === name,
    onEdit: () => setEdited(edited === name ? undefined : name),
  });
  const toggleBrand = (isIn: boolean): void => {
    if (brand?.isIn === isIn) change({ ...filter, brand: undefined });
    else if (memory.terms.length === 0 && !marked) setEdited(isIn ? 'brand' : 'nonBrand');
    else change({ ...filter, brand: { isIn, terms: memory.terms } });
  };
  return (
    <FilterGroup title="One-click filters">
      <ul className="m-0 flex list-none flex-col gap-1.5 p-0">
        <Chip
          name="Questions"
          summary={languagesText(memory.questions)}
          isOn={questions.length > 0}
          onToggle={() => change({ ...filter, questions: questions.length > 0 ? [] : memory.questions })}
          {...editing('questions')}
        >
          <LanguageChoice {...props} memory={memory} />
        </Chip>
        {can.quick && (
          <Chip
            name="Quick wins"
            summary={quickText(memory.quick, can.hasPositions)}
            isOn={quick !== undefined}
            onToggle={() => change({ ...filter, quick: quick ? undefined : memory.quick })}
            {...editing('quick')}
          >
            <QuickNumbers {...props} memory={memory} />
          </Chip>
        )}
        {can.rising && (
          <Chip
            name="Rising"
            summary={risingText(memory.rising)}
            isOn={rising !== undefined}
            onToggle={() => change({ ...filter, rising: rising ? undefined : memory.rising })}
            {...editing('rising')}
          >
            <RisingNumbers {...props} memory={memory} />
          </Chip>
        )}
        {([true, false] as const).map((isIn) => (
          <Chip
            key={String(isIn)}
            name={isIn ? 'Brand' : 'Non-brand'}
            summary={brandSummary(memory, marked)}
            isOn={brand?.isIn === isIn}
            onToggle={() => toggleBrand(isIn)}
            {...editing(isIn ? 'brand' : 'nonBrand')}
          >
            <BrandTerms {...props} memory={memory} isIn={isIn} isMarked={marked} />
          </Chip>
        ))}
      </ul>
    </FilterGroup>
  );
}

function brandSummary({ terms }: PresetMemory, isMarked: boolean): string {
  if (terms.length > 0) return brandText({ isIn: true, terms }).slice('Brand: '.length);
  return isMarked ? 'as the file marks it' : 'no terms yet';
}

type Answerable = { readonly quick: boolean; readonly hasPositions: boolean; readonly rising: boolean };

/** What the file has figures for. A condition of a link is always listed, so that it can be removed. */
function useAnswerable({ quick, rising }: Filter): Answerable {
  const { id, source, tree } = useExplorer();
  const fields = useLook((state) => state.fields) ?? [];
  const { data } = useQuery({
    queryKey: ['histogram', id, 'growth', ''],
    queryFn: async ({ signal }) => (await source.levels()).histogram('growth', '', signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const hasVolume = isKnownAnywhere(tree, 'volume');
  const hasPositions = fields.some(({ name }) => name === 'position');
  return {
    quick: quick !== undefined || (hasVolume && (hasPositions || isKnownAnywhere(tree, 'difficulty'))),
    hasPositions,
    rising: rising !== undefined || (hasVolume && data !== undefined && data.known > 0),
  };
}

type ChipProps = {
  readonly name: string;
  readonly summary: string;
  readonly isOn: boolean;
  readonly onToggle: () => void;
  readonly isEdited: boolean;
  readonly onEdit: () => void;
  readonly children: ReactNode;
};

function Chip({ name, summary, isOn, onToggle, isEdited, onEdit, children }: ChipProps) {
  const [note, editor] = [useId(), useId()];
  return (
    <li>
      <div className="flex items-center gap-2">
        <button
          type="button"
          aria-pressed={isOn}
          aria-describedby={note}
          onClick={onToggle}
          className="min-h-8 shrink-0 rounded-full border border-line-strong bg-surface px-3 text-small font-medium text-ink hover:bg-sunken aria-pressed:border-brand aria-pressed:bg-brand-soft aria-pressed:text-brand-ink touch:min-h-11"
        >
          {isOn && <span aria-hidden="true">✓ </span>}
          {name}
        </button>
        <span id={note} className="line-clamp-2 min-w-0 flex-1 text-micro text-muted wrap-anywhere">
          {summary}
        </span>
        <button
          type="button"
          aria-label={`Change: ${name}`}
          aria-expanded={isEdited}
          aria-controls={editor}
          onClick={onEdit}
          className={iconButtonClass('dense')}
        >
          <ChevronDown
            size={16}
            aria-hidden="true"
            className={classNames('motion transition-transform duration-150', isEdited && 'rotate-180')}
          />
        </button>
      </div>
      <div id={editor} className={isEdited ? 'mt-1 mb-2 rounded-control bg-sunken p-3' : undefined}>
        {isEdited && children}
      </div>
    </li>
  );
}
