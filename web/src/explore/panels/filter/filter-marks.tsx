import { type ChangeMark, changeMarks, planMarks, type WarningMark, warningMarkKinds } from '@kc/pack/filter/filter';
import { changeMarkWords, planMarkWords, warningMarkWords } from '@kc/pack/filter-words/mark-parts';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { toggled } from '../../model/change-filter.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { FilterPlanned } from './filter-planned.tsx';
import { FilterDisclosure, type FilterProps } from './filter-section.tsx';

/** What is gone is in no branch, so nothing would be left. */
const offeredChanges = changeMarks.filter((mark) => mark !== 'gone');

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
