import type { PlanEntry, PlanSuggestions } from '@kc/rules/plan-shapes';
import { useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { exact, share } from '../../format/figure-text.ts';
import { sayPlan } from './plan-texts.ts';
import { usePlan } from './use-plan.ts';

type Props = {
  readonly entries: readonly PlanEntry[];
  readonly changed: PlanSuggestions['changed'];
  readonly onOpen: (entry: PlanEntry) => void;
};

/** Entries whose branches hold few of the keywords that they had when they were planned. */
export function ChangedEntries({ entries, changed, onOpen }: Props) {
  const plan = usePlan();
  const toast = useToast();
  const head = useRef<HTMLElement>(null);
  const kept = new Map(changed.map((one) => [one.entry, one.kept]));
  const listed = entries.filter(({ id, node }) => node !== undefined && kept.has(id));
  if (listed.length === 0) return null;
  const confirm = ({ id, node, path }: PlanEntry) => {
    plan.confirm([{ entry: id, node: node! }]);
    // Its line goes away, and the focus with it.
    head.current?.focus();
    toast(sayPlan('plan/confirmed', { name: path.at(-1)! }));
  };
  return (
    <details className="rounded-card border border-warn">
      <summary ref={head} className="cursor-pointer px-3 py-2 text-small font-medium text-warn">
        Content changed ({exact(listed.length)})
      </summary>
      <ul aria-label="Content changed" className="m-0 flex list-none flex-col gap-3 px-3 pb-3">
        {listed.map((entry) => (
          <li key={entry.id} className="flex flex-col gap-1.5 text-small">
            <p className="m-0 wrap-anywhere">
              <bdi>{entry.path.join(' › ')}</bdi>
            </p>
            <p className="m-0 text-micro text-muted">
              Holds {share(kept.get(entry.id), 1)} of the keywords that it had when it was planned
            </p>
            <div className="flex flex-wrap gap-1.5">
              <Button size="dense" aria-label={`Show ${entry.path.at(-1)}`} onClick={() => onOpen(entry)}>
                Show
              </Button>
              <Button size="dense" aria-label={`Keep as planned: ${entry.path.at(-1)}`} onClick={() => confirm(entry)}>
                Keep as planned
              </Button>
            </div>
          </li>
        ))}
      </ul>
    </details>
  );
}
