import type { AskedChange, PlanField } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { lazily } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { useExplorer } from '../explorer-context.ts';
import { explainPlan } from './plan-texts.ts';
import { fieldWords, valueText } from './plan-words.tsx';
import { usePlan } from './use-plan.ts';

const when = lazily(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' }));

/** Who changed what in an entry, newest first. Each earlier value can be restored. */
export function PlanHistory({ entry }: { readonly entry: PlanEntry }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button size="dense" variant="ghost" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        History
      </Button>
      {isOpen && <HistoryLines entry={entry} />}
    </div>
  );
}

function HistoryLines({ entry }: { readonly entry: PlanEntry }) {
  const explorer = useExplorer();
  const plan = usePlan();
  const { data, error } = useQuery({
    queryKey: ['plan history', entry.id, entry.rev],
    queryFn: async () => (await plan.calls()).history(entry.id),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <p className="m-0 text-small text-bad">{explainPlan(explorer, error)}</p>;
  if (!data) return <Skeleton className="h-16" />;
  const names = new Map(data.people.map(({ id, name }) => [id, name]));
  const restore = (field: string, value: unknown) => {
    if (field !== 'tags') {
      plan.change([{ entry: entry.id }], { set: { [field]: value } as AskedChange['set'] });
      return;
    }
    const wanted = value as readonly string[];
    plan.change([{ entry: entry.id }], {
      addTags: wanted.filter((tag) => !entry.tags.includes(tag)),
      removeTags: entry.tags.filter((tag) => !wanted.includes(tag)),
    });
  };
  return (
    <ol aria-label="History" className="m-0 mt-2 flex list-none flex-col gap-2 p-0">
      {data.lines.map(({ revision, field, before, after, by, at }) => {
        const isValue = field !== 'path' && field !== 'isPlanned';
        return (
          <li key={`${revision} ${field}`} className="border-l-2 border-line pl-2 text-small">
            <span className="text-micro text-muted">
              {names.get(by) ?? 'A deleted account'} · {when().format(at)}
            </span>
            <span className="block whitespace-pre-wrap wrap-anywhere">
              {field === 'path' ? 'Place' : fieldWords[field as PlanField]}: {valueText(field, before, names)} →{' '}
              {valueText(field, after, names)}
            </span>
            {isValue && (
              <Button
                size="dense"
                variant="ghost"
                aria-label={`Restore this value: ${fieldWords[field as PlanField]} ${valueText(field, before, names)}`}
                onClick={() => restore(field, before)}
              >
                Restore this value
              </Button>
            )}
          </li>
        );
      })}
    </ol>
  );
}
