import { planStatuses } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { exact } from '../../format/figure-text.ts';
import { type DueChoice, dueChoices, dueOf, monthOf, type PlanListFilter } from '../../model/plan-list.ts';
import { statusWords } from './plan-words.tsx';

type Props = {
  /** Everything that could be listed. */
  readonly entries: readonly PlanEntry[];
  readonly filter: PlanListFilter;
  readonly onChange: (filter: PlanListFilter) => void;
};

const dueWords: Readonly<Record<DueChoice, string>> = {
  overdue: 'Overdue',
  soon: 'Within three months',
  later: 'Later',
  none: 'No month',
};

/** Which entries of the plan are listed: by the values that occur, each with how many there are. */
export function PlanFilterBar({ entries, filter, onChange }: Props) {
  const month = monthOf(new Date());
  const dues = countOf(entries.map((entry) => dueOf(entry, month) ?? ''));
  const fields = [
    {
      name: 'status',
      title: 'Status',
      values: planStatuses.map((value) => ({ value, label: statusWords[value] })),
      counts: countOf(entries.map(({ status }) => status)),
    },
    {
      name: 'assignee',
      title: 'Owner',
      values: [...named(entries.map(({ assignee }) => assignee)), { value: '', label: 'Nobody' }],
      counts: countOf(entries.map(({ assignee }) => assignee)),
    },
    {
      name: 'due',
      title: 'Due',
      values: dueChoices.map((value) => ({ value, label: dueWords[value] })),
      counts: dues,
    },
    {
      name: 'contentType',
      title: 'Content type',
      values: [...named(entries.map(({ contentType }) => contentType)), { value: '', label: 'None' }],
      counts: countOf(entries.map(({ contentType }) => contentType)),
    },
    {
      name: 'tag',
      title: 'Tag',
      values: [...named(entries.flatMap(({ tags }) => tags)), { value: '', label: 'None' }],
      counts: countOf(entries.flatMap(({ tags }) => (tags.length === 0 ? [''] : tags))),
    },
  ] as const;
  return (
    <div
      role="toolbar"
      aria-label="Filter the list of the plan"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-3 py-1"
    >
      {fields.map(({ name, title, values, counts }) => (
        <Select
          key={name}
          label={title}
          showLabel={false}
          size="dense"
          className="w-34 max-sm:w-[calc(50%-0.25rem)]"
          value={filter[name] === undefined ? all : chosen(filter[name])}
          options={[
            { value: all, label: `${title}: all` },
            ...values
              .filter(({ value }) => counts.has(value) || filter[name] === value)
              .map(({ value, label }) => ({
                value: chosen(value),
                label: `${label} (${exact(counts.get(value) ?? 0)})`,
              })),
          ]}
          onChange={(next) => {
            const { [name]: _, ...others } = filter;
            onChange(next === all ? others : { ...others, [name]: next.slice(1) });
          }}
        />
      ))}
      {Object.keys(filter).length > 0 && (
        <Button size="dense" onClick={() => onChange({})}>
          Show all
        </Button>
      )}
    </div>
  );
}

/** No condition. Values have a sign in front, because the empty one is a condition, too. */
const all = '*';
const chosen = (value: string): string => `=${value}`;

function countOf(values: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Each text that occurs, from A to Z. */
const named = (texts: readonly string[]) =>
  [...new Set(texts)]
    .filter((text) => text !== '')
    .sort(collator.compare)
    .map((text) => ({ value: text, label: text }));
