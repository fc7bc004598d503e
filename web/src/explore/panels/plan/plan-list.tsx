import { monthText, planStatuses } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { exact } from '../../format/figure-text.ts';
import { sayPlan } from './plan-texts.ts';
import { StatusMark } from './plan-words.tsx';
import { usePlanState } from './use-plan.ts';

type Props = {
  readonly entries: readonly PlanEntry[];
  /** The ID of the entry of the selected node. */
  readonly selected: string | undefined;
  readonly onOpen: (entry: PlanEntry) => void;
};

const linesAtATime = 100;

/** The entries by status, the heaviest first. */
export function PlanList({ entries, selected, onOpen }: Props) {
  const { marked, people } = usePlanState();
  const [most, setMost] = useState(linesAtATime);
  const ordered = planStatuses.flatMap((status) => entries.filter((entry) => entry.status === status));
  return (
    <section aria-label="Entries" className="flex flex-col gap-2">
      <ul aria-label="Entries of the plan" className="m-0 -mx-2 flex list-none flex-col p-0">
        {ordered.slice(0, most).map((entry) => {
          const writer = marked.get(entry.id);
          const facts = [exact(entry.volume), entry.assignee, entry.due && monthText(entry.due)].filter(Boolean);
          return (
            <li key={entry.id}>
              <button
                type="button"
                aria-current={entry.id === selected ? 'true' : undefined}
                onClick={() => onOpen(entry)}
                className="flex min-h-11 w-full items-center gap-2 rounded-control px-2 py-1 text-left hover:bg-sunken focus-visible:-outline-offset-2 aria-[current]:bg-brand-soft"
              >
                <span className="min-w-0 flex-1">
                  <bdi className="block truncate">{entry.path.at(-1)}</bdi>
                  <span className="block truncate text-micro text-muted">{facts.join(' · ')}</span>
                  {writer !== undefined && (
                    <span className="block text-micro text-info">
                      {sayPlan('plan/changed-by', { name: people.get(writer) ?? 'a deleted account' })}
                    </span>
                  )}
                </span>
                <StatusMark status={entry.status} />
              </button>
            </li>
          );
        })}
      </ul>
      {ordered.length > most && (
        <Button size="dense" onClick={() => setMost(most + linesAtATime)}>
          {`Show more (${exact(ordered.length - most)} left)`}
        </Button>
      )}
    </section>
  );
}
