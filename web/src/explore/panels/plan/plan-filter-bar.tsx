import { planStatuses } from '@kc/pack/vocabulary/choices';
import { deletedOwner } from '@kc/rules/plan';
import type { PlanEntry, PlanPerson } from '@kc/rules/plan-shapes';
import { Button } from '../../../ui/button.tsx';
import { Select } from '../../../ui/select.tsx';
import { exact } from '../../format/figure-text.ts';
import { type DueChoice, dueChoices, dueOf, monthOf, type PlanListFilter } from '../../model/plan-list.ts';
import { statusWords } from './plan-texts.tsx';
import { usePlanPeople } from './use-plan.ts';

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
  const people = usePlanPeople();
  const fields = [
    {
      name: 'status',
      title: 'Status',
      values: planStatuses.map((value) => ({ value, label: statusWords[value] })),
      counts: countOf(entries.map(({ status }) => status)),
    },
    {
      name: 'owner',
      title: 'Owner',
      values: ownersOf(entries, people, filter.account),
      counts: countOf(entries.map(ownerOf)),
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
  const values = { ...filter, owner: chosenOwner(entries, filter) };
  return (
    <div
      role="toolbar"
      aria-label="Filter the list of the plan"
      className="flex shrink-0 flex-wrap items-center gap-2 border-b border-line bg-surface px-3 py-1"
    >
      {fields.map(({ name, title, values: listed, counts }) => (
        <Select
          key={name}
          label={title}
          showLabel={false}
          size="dense"
          className="w-34 max-sm:w-[calc(50%-0.25rem)]"
          value={values[name] === undefined ? all : chosen(values[name])}
          options={[
            { value: all, label: `${title}: all` },
            ...listed
              .filter(({ value }) => counts.has(value) || values[name] === value)
              .map(({ value, label }) => ({
                value: chosen(value),
                label: `${label} (${exact(counts.get(value) ?? 0)})`,
              })),
          ]}
          onChange={(next) => {
            const { [name]: _, ...others } = values;
            onChange(withOwner(next === all ? others : { ...others, [name]: next.slice(1) }));
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

/** An owner as a value of the select: an account or a text. */
const ownerOf = ({ assignee, assigneeId }: Pick<PlanEntry, 'assignee' | 'assigneeId'>): string =>
  assigneeId === undefined ? `text ${assignee}` : `account ${assigneeId}`;

/** An address that was kept with a name means the person who has it now. */
function chosenOwner(entries: readonly PlanEntry[], { assignee, account }: PlanListFilter): string | undefined {
  if (account !== undefined) return ownerOf({ assignee: '', assigneeId: account });
  if (assignee === undefined) return undefined;
  return ownerOf(entries.find((entry) => entry.assignee === assignee) ?? { assignee });
}

function withOwner({
  owner,
  assignee,
  account,
  ...others
}: PlanListFilter & { readonly owner?: string | undefined }): PlanListFilter {
  if (owner === undefined) return others;
  const [kind, value] = [owner.slice(0, owner.indexOf(' ')), owner.slice(owner.indexOf(' ') + 1)];
  return kind === 'account' ? { ...others, account: value } : { ...others, assignee: value };
}

/** Each owner that occurs, and the one that is asked for, from A to Z; then nobody. */
function ownersOf(entries: readonly PlanEntry[], people: readonly PlanPerson[], account: string | undefined) {
  const names = new Map(
    entries.filter(({ assignee }) => assignee !== '').map((entry) => [ownerOf(entry), entry.assignee]),
  );
  const filteredOwner = account === undefined ? undefined : ownerOf({ assignee: '', assigneeId: account });
  if (filteredOwner !== undefined && !names.has(filteredOwner))
    names.set(filteredOwner, people.find(({ id }) => id === account)?.name ?? deletedOwner);
  const owners = [...names].map(([value, label]) => ({ value, label }));
  owners.sort((one, other) => collator.compare(one.label, other.label));
  return [...owners, { value: ownerOf({ assignee: '' }), label: 'Nobody' }];
}

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
