import { fileLanguages } from '@kc/pack/filter/file-languages';
import type { Filter, QuickPart, RisingPart } from '@kc/pack/filter/filter';
import { brandField, type QuestionLanguage, questionLanguages } from '@kc/pack/filter/filter';
import { maxBrandTerms, termsIn } from '@kc/pack/filter/filter-text';
import { brandText, languageName, languagesText, quickText, risingText } from '@kc/pack/filter-words/filter-parts';
import { normalForm } from '@kc/pack/names/normal-form';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Field } from '../../../ui/field.tsx';
import { toggled } from '../../model/change-filter.ts';
import { isKnownAnywhere } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { numberIn } from './filter-ranges.tsx';
import { FilterGroup, type FilterProps, typingMs } from './filter-section.tsx';
import { useHistogram } from './use-filter.ts';

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
  const setNumbers = (part: Pick<Remembered, 'quick' | 'rising'>, isOn: boolean): void => {
    memory.remember(part);
    if (isOn) change({ ...filter, ...part }, typingMs);
  };
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
            <Numbers
              part={memory.quick}
              labels={{ volume: 'Volume at least', difficulty: 'Difficulty at most' }}
              onChange={(part) => setNumbers({ quick: part }, quick !== undefined)}
            />
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
            <Numbers
              part={memory.rising}
              labels={{ percent: 'Growth at least, in %', volume: 'Volume at least' }}
              onChange={(part) => setNumbers({ rising: part }, rising !== undefined)}
            />
            <p className="m-0 mt-2 text-micro text-muted">
              The newest three months against the nine before. Twelve months cannot tell growth from season.
            </p>
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
  const { tree } = useExplorer();
  const fields = useLook((state) => state.fields) ?? [];
  const { data } = useHistogram('growth', '');
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
            strokeWidth={2}
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

type Props = FilterProps & { readonly memory: PresetMemory };

/** The languages whose questions count. At least one remains. */
function LanguageChoice({ filter, change, memory }: Props) {
  const set = (questions: typeof memory.questions) => {
    if (questions.length === 0) return;
    memory.remember({ questions });
    if (filter.questions.length > 0) change({ ...filter, questions });
  };
  return (
    <ul className="m-0 grid list-none grid-cols-2 gap-x-4 p-0">
      {questionLanguages.map((language) => (
        <li key={language}>
          <Checkbox
            label={languageName(language)}
            checked={memory.questions.includes(language)}
            onChange={() => set(toggled(memory.questions, language))}
          />
        </li>
      ))}
    </ul>
  );
}

type NumbersProps<Part> = {
  readonly part: Part;
  readonly labels: Readonly<Record<keyof Part & string, string>>;
  readonly onChange: (part: Part) => void;
};

/** The numbers of a condition. */
function Numbers<Part extends Readonly<Record<keyof Part, number>>>({ part, labels, onChange }: NumbersProps<Part>) {
  return (
    <div className="grid grid-cols-2 gap-3">
      {(Object.keys(labels) as (keyof Part & string)[]).map((name) => (
        <OneNumber
          key={name}
          label={labels[name]}
          value={part[name]}
          onChange={(value) => onChange({ ...part, [name]: value })}
        />
      ))}
    </div>
  );
}

type BrandProps = Props & { readonly isIn: boolean; readonly isMarked: boolean };

/** Writing the first term switches the condition on; removing the last one switches it off. */
function BrandTerms({ filter, change, memory, isIn, isMarked }: BrandProps) {
  const field = useRef<HTMLInputElement>(null);
  const [written, setWritten] = useState<string>();
  const isEmpty = memory.terms.length === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it opens
  useEffect(() => {
    if (isEmpty) field.current?.focus();
  }, []);
  const set = (text: string) => {
    setWritten(text);
    const terms = termsIn(text);
    if (terms.length > maxBrandTerms) return;
    memory.remember({ terms });
    const isOf = filter.brand?.isIn ?? isIn;
    change({ ...filter, brand: terms.length === 0 && !isMarked ? undefined : { isIn: isOf, terms } }, typingMs);
  };
  const text = written ?? memory.terms.join(', ');
  const count = termsIn(text).length;
  return (
    <Field
      ref={field}
      label="Brand terms"
      hint={`Whole words, with commas between them${isMarked ? '. Keywords that the file marks count as well' : ''}`}
      error={count > maxBrandTerms ? `${count} terms are more than the ${maxBrandTerms} that are possible` : undefined}
      autoComplete="off"
      spellCheck={false}
      maxLength={1500}
      value={text}
      onChange={({ target }) => set(target.value)}
    />
  );
}

type OneNumberProps = {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
};

/** A number that must be there. What is no number is said below the field and not applied. */
function OneNumber({ label, value, onChange }: OneNumberProps) {
  const [written, setWritten] = useState<string>();
  const isWrong = written !== undefined && !isNumber(numberIn(written));
  return (
    <Field
      label={label}
      inputMode="decimal"
      autoComplete="off"
      maxLength={24}
      value={written ?? String(value)}
      error={isWrong ? 'Not a number' : undefined}
      onChange={({ target }) => {
        setWritten(target.value);
        const next = numberIn(target.value);
        if (isNumber(next)) onChange(next);
      }}
      onBlur={() => setWritten(undefined)}
    />
  );
}

const isNumber = (value: number | undefined): value is number => Number.isFinite(value);

/** What the one-click filters have when they are switched on: their values now, the last ones, or the usual ones. */
type PresetMemory = {
  readonly quick: QuickPart;
  readonly rising: RisingPart;
  readonly questions: readonly QuestionLanguage[];
  readonly terms: readonly string[];
  readonly remember: (some: Remembered) => void;
};

type Remembered = Partial<Pick<PresetMemory, 'quick' | 'rising' | 'questions' | 'terms'>>;

/**
 * Brand terms are remembered on this device for all data with the same root, until the user signs out. Everything else lasts as long as the
 * panel is open. Links need neither, because the filter text has all values.
 */
function usePresetMemory({ quick, rising, questions, brand }: Filter): PresetMemory {
  const { tree } = useExplorer();
  const languages = fileLanguages(useLook((state) => state.fields) ?? []);
  const key = `explorer.brand-terms.${normalForm(tree.ownName(0), 'NFC').toLowerCase().replace(/\s+/gu, ' ').trim()}`;
  const [last, setLast] = useState<Remembered>({});
  const terms = brand?.terms ?? last.terms ?? termsIn(localStorage.getItem(key) ?? '');
  return {
    quick: quick ?? last.quick ?? { volume: 50, difficulty: 30 },
    rising: rising ?? last.rising ?? { percent: 20, volume: 50 },
    questions: questions.length > 0 ? questions : (last.questions ?? languages),
    terms,
    remember(some) {
      setLast({ ...last, ...some });
      if (some.terms) localStorage.setItem(key, some.terms.join(','));
    },
  };
}
