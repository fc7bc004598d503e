import { Button } from '../../../ui/button.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { pageLevelOf } from '../../model/levels.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { explainPlan, sayPlan } from './plan-texts.tsx';
import type { usePlanFigures } from './use-plan.ts';

type EmptyProps = {
  /** How many entries are here before the map’s filter, and how many of them it keeps before the list’s own filter. */
  readonly planned: number;
  readonly kept: number;
  /** The name of the focus. */
  readonly where: string;
  readonly onShowAll: () => void;
};

/** Why the list is empty, and what to do. */
export function NothingListed({ planned, kept, where, onShowAll }: EmptyProps) {
  const explorer = useExplorer();
  const pages = useLook(pageLevelOf);
  const [text, label, act] =
    kept > 0
      ? ([sayPlan('plan/none-listed'), 'Show all entries', onShowAll] as const)
      : planned > 0
        ? ([sayPlan('plan/none-kept'), 'Clear the filter', () => void explorer.setFilter('')] as const)
        : ([
            sayPlan('plan/none-here', { place: where }),
            `Show ${pages}`,
            () => explorer.store.setState({ level: pages }),
          ] as const);
  return (
    <div className="absolute inset-x-0 top-12 flex flex-col items-center gap-3 p-6 text-center text-small">
      <p className="m-0 text-muted">{text}</p>
      <Button size="dense" onClick={act}>
        {label}
      </Button>
    </div>
  );
}

type StatusProps = {
  readonly listed: number;
  readonly here: number;
  readonly isFiltered: boolean;
  readonly figures: ReturnType<typeof usePlanFigures>;
};

/** How much of the plan is listed, and what its figures are about. */
export function ListStatus({ listed, here, isFiltered, figures }: StatusProps) {
  const explorer = useExplorer();
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-4 border-t border-line px-3 py-1 text-micro text-muted"
    >
      <span>
        {listed < here ? `${exact(listed)} of ` : ''}
        {counted(here, 'entry', 'entries')}
      </span>
      {isFiltered && <span>With the figures of what the filter keeps</span>}
      <span className="touch:hidden">F2 edits a cell, Space selects, X removes</span>
      {figures.isError && (
        <span className="flex items-center gap-2 text-bad">
          {sayPlan('plan/no-figures')} {explainPlan(explorer, figures.error)}
          <Button size="dense" onClick={() => void figures.refetch()}>
            Try again
          </Button>
        </span>
      )}
    </div>
  );
}
