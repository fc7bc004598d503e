import type { QuickPart, RisingPart } from '@kc/pack/filter/filter';
import { maxBrandTerms, termsIn } from '@kc/pack/filter/preset-text';
import { questionLanguages } from '@kc/pack/filter/question-languages';
import { languageName } from '@kc/pack/filter-words/preset-parts';
import { useEffect, useRef, useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { toggled } from '../../model/change-filter.ts';
import type { FilterProps } from './filter-section.tsx';
import type { PresetMemory } from './preset-memory.ts';

type Props = FilterProps & { readonly memory: PresetMemory };

/** Debounce while typing, in milliseconds. */
const typingMs = 300;

/** The languages whose questions count. At least one remains. */
export function LanguageChoice({ filter, change, memory }: Props) {
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

export function QuickNumbers({ filter, change, memory }: Props) {
  const set = (quick: QuickPart) => {
    memory.remember({ quick });
    if (filter.quick) change({ ...filter, quick }, typingMs);
  };
  return (
    <div className="grid grid-cols-2 gap-3">
      <OneNumber
        label="Volume at least"
        value={memory.quick.volume}
        onChange={(volume) => set({ ...memory.quick, volume })}
      />
      <OneNumber
        label="Difficulty at most"
        value={memory.quick.difficulty}
        onChange={(difficulty) => set({ ...memory.quick, difficulty })}
      />
    </div>
  );
}

export function RisingNumbers({ filter, change, memory }: Props) {
  const set = (rising: RisingPart) => {
    memory.remember({ rising });
    if (filter.rising) change({ ...filter, rising }, typingMs);
  };
  return (
    <>
      <div className="grid grid-cols-2 gap-3">
        <OneNumber
          label="Growth at least, in %"
          value={memory.rising.percent}
          onChange={(percent) => set({ ...memory.rising, percent })}
        />
        <OneNumber
          label="Volume at least"
          value={memory.rising.volume}
          onChange={(volume) => set({ ...memory.rising, volume })}
        />
      </div>
      <p className="m-0 mt-2 text-micro text-muted">
        The newest three months against the nine before. Twelve months cannot tell growth from season.
      </p>
    </>
  );
}

type BrandProps = Props & { readonly isIn: boolean; readonly isMarked: boolean };

/** Writing the first term switches the condition on; removing the last one switches it off. */
export function BrandTerms({ filter, change, memory, isIn, isMarked }: BrandProps) {
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
  const plain = written?.replaceAll(/[\s,]/g, '');
  const isWrong = plain !== undefined && (plain === '' || !Number.isFinite(Number(plain)));
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
        const next = target.value.replaceAll(/[\s,]/g, '');
        if (next !== '' && Number.isFinite(Number(next))) onChange(Number(next));
      }}
      onBlur={() => setWritten(undefined)}
    />
  );
}
