import { type PlanStatus, planStatuses } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { type ReactNode, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted, exact, share } from '../../format/figure-text.ts';
import { levelOf } from '../../model/levels.ts';
import { removedEntries } from '../../model/plan-state.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { ToggleChips } from '../toggle-chips.tsx';
import { ChangedEntries } from './changed-entries.tsx';
import { CoverageBar, plannedFigures } from './coverage-bar.tsx';
import { MissingEntries } from './missing-entries.tsx';
import { OfferedPlan } from './offered-plan.tsx';
import { canPlan, togglePlanned } from './plan-actions.ts';
import { PlanEditor } from './plan-editor.tsx';
import { NotSent, PlanFailure } from './plan-failure.tsx';
import { PlanList } from './plan-list.tsx';
import { StatusIcon, statusWords } from './plan-words.tsx';
import { RemovedEntries } from './removed-entries.tsx';
import { usePlannedEntries, usePlannedNode, usePlanState, usePlanSuggestions, usePlanTotals } from './use-plan.ts';

/** The plan: totals, the editor of the selected node, and the entries by status. */
export function PlanPanel() {
  const explorer = useExplorer();
  const state = usePlanState();
  const planned = usePlannedEntries();
  const { isNode, entry } = usePlannedNode();
  const [status, setStatus] = useState<PlanStatus>();
  const suggestions = usePlanSuggestions();
  // The list in the middle shows the entries, and has filters of its own.
  const isListed = useLook((look) => look.view === 'table' && levelOf(look) === 'plan');
  const open = (one: PlanEntry) => void explorer.address.open(addressOf(explorer, one), 'push');
  if (!state.isLoaded) {
    return state.failure === undefined ? <Skeleton className="m-4 h-40" /> : <PlanFailure failure={state.failure} />;
  }
  const here = planned.filter(({ node }) => node !== undefined);
  const missing = planned.filter(({ node }) => node === undefined);
  const removed = removedEntries(state);
  const shown = status ? here.filter((one) => one.status === status) : here;
  return (
    <div className="flex flex-col gap-4 p-4">
      <h2 className="sr-only">The plan</h2>
      <NotSent />
      <OfferedPlan />
      {planned.length > 0 && (
        <Totals entries={here}>
          {!isListed && (
            <ToggleChips
              legend="Show by status"
              value={status}
              onChange={setStatus}
              chips={planStatuses.map((one) => ({
                value: one,
                label: statusWords[one],
                sign: <StatusIcon status={one} />,
                count: here.filter((entry) => entry.status === one).length,
              }))}
            />
          )}
        </Totals>
      )}
      {isNode && (entry ? <PlanEditor key={entry.id} entry={entry} /> : <AddSelected />)}
      {missing.length > 0 && <MissingEntries entries={missing} suggestions={suggestions.data?.suggestions} />}
      <ChangedEntries entries={here} changed={suggestions.data?.changed ?? []} onOpen={open} />
      {planned.length === 0 && (
        <p className="m-0 text-small text-muted">
          Nothing planned yet. Press X on a cluster or keyword, or use “Add to plan” in its menu.
        </p>
      )}
      {here.length > 0 && !isListed && <PlanList entries={shown} selected={entry?.id} onOpen={open} />}
      {removed.length > 0 && <RemovedEntries entries={removed} />}
    </div>
  );
}

/** The address of the page, with an entry selected. */
function addressOf({ address }: ReturnType<typeof useExplorer>, { node }: PlanEntry): string {
  const search = new URLSearchParams(address.link().replace(/^[^?]*/, ''));
  search.set('sel', node!);
  return `?${search}`;
}

function AddSelected() {
  const explorer = useExplorer();
  const toast = useToast();
  const { row } = usePlannedNode();
  if (!canPlan(explorer.tree, row)) return null;
  return (
    <div className="flex flex-wrap items-center gap-2 rounded-card border border-line p-3">
      <bdi className="min-w-0 flex-1 font-semibold wrap-anywhere">{explorer.tree.name(row)}</bdi>
      <Button size="dense" onClick={() => togglePlanned(explorer, [row], toast)}>
        Add to plan
      </Button>
    </div>
  );
}

type TotalsProps = {
  /** The entries that have a node here. */
  readonly entries: readonly PlanEntry[];
  readonly children: ReactNode;
};

function Totals({ entries, children }: TotalsProps) {
  const { tree } = useExplorer();
  const { row } = usePlannedNode();
  const { data, branch } = usePlanTotals();
  const figures = data && plannedFigures(data.whole);
  return (
    <section aria-label="Totals" className="flex flex-col gap-3">
      <p className="m-0 text-small">
        <span className="font-semibold">{counted(entries.length, 'entry', 'entries')}</span>
        {figures && (
          <>
            {' · '}
            {counted(figures.keywords, 'keyword')} · volume {exact(figures.volume)}
            {figures.share && ` · ${share(figures.share.share, 1)} of all ${figures.share.of}`}
          </>
        )}
      </p>
      {data && <CoverageBar coverage={data.whole} of="all" />}
      {data?.branch && branch !== undefined && <CoverageBar coverage={data.branch} of={`${tree.name(row)}’s`} />}
      {children}
    </section>
  );
}
