import {
  type ChangeMark,
  type Filter,
  noFilter,
  type PlannedPart,
  planMarks,
  type WarningMark,
  warningMarkKinds,
} from '@kc/pack/filter/filter';
import {
  changeMarkWords,
  dueText,
  planMarkWords,
  plannedTitles,
  plannedWord,
  warningMarkWords,
} from '@kc/pack/filter-words/filter-parts';
import { changeNames } from '@kc/pack/vocabulary/changes';
import { isDueMonth } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Field } from '../../../ui/field.tsx';
import { exact } from '../../format/figure-text.ts';
import { toggled } from '../../model/change-filter.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { sayPlan } from '../plan/plan-texts.tsx';
import { usePlannedEntries } from '../plan/use-plan.ts';
import { FilterDisclosure, type FilterProps } from './filter-section.tsx';

/** What is gone is in no branch, so nothing would be left. */
const offeredChanges = changeNames.filter((mark) => mark !== 'gone');

/** Criteria about the plan, the upload that is compared with, and warnings. */
export function FilterMarks({ filter, change }: FilterProps) {
  const { isKept } = useExplorer();
  const isCompared = useLook((state) => state.vs !== undefined);
  if (!isKept) return null;
  return (
    <div className="border-b border-line empty:hidden">
      <FilterDisclosure
        title="Plan status"
        isUsed={filter.plan.length > 0}
        summary={filter.plan.map((mark) => planMarkWords[mark]).join(', ')}
      >
        <p className="m-0 mb-1 text-micro text-muted">
          Of a keyword itself, or of the nearest planned branch around it
        </p>
        <Values
          values={planMarks}
          chosen={filter.plan}
          words={planMarkWords}
          onChange={(plan) => change({ ...filter, plan })}
        />
      </FilterDisclosure>
      <FilterPlanned filter={filter} change={change} />
      {isCompared && (
        <FilterDisclosure
          title="Changed since the other upload"
          isUsed={filter.changes.length > 0}
          summary={filter.changes.map((mark) => changeMarkWords[mark]).join(', ')}
        >
          <Values<ChangeMark>
            values={offeredChanges}
            chosen={filter.changes}
            words={changeMarkWords}
            onChange={(changes) => change({ ...filter, changes })}
          />
        </FilterDisclosure>
      )}
      <FilterDisclosure
        title="Warnings"
        isUsed={filter.warnings.length > 0}
        summary={filter.warnings.map((mark) => warningMarkWords[mark]).join(', ')}
      >
        <p className="m-0 mb-1 text-micro text-muted">
          Clusters and keywords with an open warning of any of these kinds
        </p>
        <Values<WarningMark>
          values={warningMarkKinds}
          chosen={filter.warnings}
          words={warningMarkWords}
          onChange={(warnings) => change({ ...filter, warnings })}
        />
      </FilterDisclosure>
    </div>
  );
}

type ValuesProps<T extends string> = {
  readonly values: readonly T[];
  readonly chosen: readonly T[];
  readonly words: Readonly<Record<T, string>>;
  readonly onChange: (values: readonly T[]) => void;
};

function Values<T extends string>({ values, chosen, words, onChange }: ValuesProps<T>) {
  return (
    <ul className="m-0 grid list-none grid-cols-2 gap-x-4 p-0 max-[360px]:grid-cols-1">
      {values.map((value) => (
        <li key={value}>
          <Checkbox
            label={words[value]}
            checked={chosen.includes(value)}
            onChange={() => onChange(toggled(chosen, value))}
          />
        </li>
      ))}
    </ul>
  );
}

/** A field with names as values, and those of an entry; several where it can have several. */
type NamedField = {
  readonly of: Exclude<PlannedPart['of'], 'due'>;
  readonly valuesOf: (entry: PlanEntry) => readonly string[];
};

const namedFields: readonly NamedField[] = [
  { of: 'owner', valuesOf: ({ assignee }) => [assignee] },
  { of: 'content', valuesOf: ({ contentType }) => [contentType] },
  { of: 'tag', valuesOf: ({ tags }) => (tags.length > 0 ? tags : ['']) },
];
const collator = new Intl.Collator('en', { numeric: true });

const valuesIn = (filter: Filter, of: PlannedPart['of']): readonly string[] =>
  filter.planned.filter((part) => part.of === of).map(({ value }) => value);

function withValues(filter: Filter, of: PlannedPart['of'], values: readonly string[]): Filter {
  const others = filter.planned.filter((part) => part.of !== of);
  return { ...filter, planned: [...others, ...values.map((value) => ({ of, value }))] };
}

/** Criteria about what the plan says of a keyword. A field that no entry has set is left out. */
function FilterPlanned({ filter, change }: FilterProps) {
  const entries = usePlannedEntries();
  const isDue = entries.some(({ due }) => due !== '');
  return (
    <>
      {namedFields.map(({ of, valuesOf }) => {
        const chosen = valuesIn(filter, of);
        const counts = new Map<string, number>(chosen.map((value) => [value, 0]));
        for (const value of entries.flatMap(valuesOf)) counts.set(value, (counts.get(value) ?? 0) + 1);
        const named = [...counts.keys()].filter((value) => value !== '').sort(collator.compare);
        if (named.length === 0 && chosen.length === 0) return null;
        return (
          <FilterDisclosure
            key={of}
            title={plannedTitles[of]}
            isUsed={chosen.length > 0}
            summary={chosen.map((value) => plannedWord(of, value)).join(', ')}
          >
            <ul className="m-0 grid max-h-48 list-none grid-cols-2 gap-x-4 overflow-y-auto p-0 max-[360px]:grid-cols-1">
              {[...named, ''].map((value) => (
                <li key={value} className="flex min-w-0 items-center justify-between gap-2 wrap-anywhere">
                  <Checkbox
                    label={plannedWord(of, value)}
                    checked={chosen.includes(value)}
                    onChange={() => change(withValues(filter, of, toggled(chosen, value)))}
                  />
                  <span className="text-micro text-muted tabular-nums">{exact(counts.get(value) ?? 0)}</span>
                </li>
              ))}
            </ul>
          </FilterDisclosure>
        );
      })}
      {(isDue || valuesIn(filter, 'due').length > 0) && <Months filter={filter} change={change} />}
    </>
  );
}

/** Longer than a month takes to choose. */
const settleMs = 400;

function Months({ filter, change }: FilterProps) {
  const values = valuesIn(filter, 'due');
  const range = values.find((value) => value !== '') ?? '_';
  const [from = '', to = ''] = range.split('_');
  const set = (next: string, withNone: boolean) =>
    change(withValues(filter, 'due', [...(next === '_' ? [] : [next]), ...(withNone ? [''] : [])]), settleMs);
  const hasNone = values.includes('');
  return (
    <FilterDisclosure title={plannedTitles.due} isUsed={values.length > 0} summary={values.map(dueText).join(', ')}>
      <div className="grid grid-cols-2 gap-3 max-[360px]:grid-cols-1">
        <Month
          label="From"
          month={from}
          isCleared={filter === noFilter}
          onChange={(month) => set(`${month}_${to}`, hasNone)}
        />
        <Month
          label="To"
          month={to}
          isCleared={filter === noFilter}
          onChange={(month) => set(`${from}_${month}`, hasNone)}
        />
      </div>
      <Checkbox label={plannedWord('due', '')} checked={hasNone} onChange={() => set(range, !hasNone)} />
    </FilterDisclosure>
  );
}

type MonthProps = {
  readonly label: string;
  readonly month: string;
  /** Whether nothing is filtered. What is unfinished goes when everything does. */
  readonly isCleared: boolean;
  readonly onChange: (month: string) => void;
};

/** A month such as `2026-12`, or none. Some browsers have no input for months, so it can also be typed. */
function Month({ label, month, isCleared, onChange }: MonthProps) {
  const [unfinished, setUnfinished] = useState<string>();
  const [wasCleared, setWasCleared] = useState(isCleared);
  if (wasCleared !== isCleared) {
    setWasCleared(isCleared);
    if (isCleared) setUnfinished(undefined);
  }
  return (
    <Field
      label={label}
      type="month"
      placeholder="2026-12"
      value={unfinished ?? month}
      error={unfinished === undefined ? undefined : sayPlan('plan/due')}
      onChange={({ target: { value } }) => {
        const isMonth = value === '' || isDueMonth(value);
        setUnfinished(isMonth ? undefined : value);
        if (isMonth) onChange(value);
      }}
      className="mb-2"
    />
  );
}
