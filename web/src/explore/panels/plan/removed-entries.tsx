import type { PlanEntry } from '@kc/rules/plan-shapes';
import { Button } from '../../../ui/button.tsx';
import { exact } from '../../format/figure-text.ts';
import { usePlan } from './use-plan.ts';

const mostListed = 100;

/** Entries that were removed; their fields come back with them. */
export function RemovedEntries({ entries }: { readonly entries: readonly PlanEntry[] }) {
  const plan = usePlan();
  return (
    <details className="text-small">
      <summary className="cursor-pointer py-1 font-medium text-muted">Removed ({exact(entries.length)})</summary>
      <ul aria-label="Removed" className="m-0 flex list-none flex-col gap-1 p-0">
        {entries.slice(0, mostListed).map(({ id, path }) => (
          <li key={id} className="flex items-center gap-2">
            <bdi className="min-w-0 flex-1 truncate">{path.join(' › ')}</bdi>
            <Button
              size="dense"
              aria-label={`Restore ${path.at(-1)}`}
              onClick={() => plan.change([{ entry: id }], { set: { isPlanned: true } })}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </details>
  );
}
