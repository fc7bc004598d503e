import { type PlanStatus, planStatuses } from '@kc/pack/vocabulary/choices';
import { monthText } from '@kc/pack/vocabulary/months';
import type { PlanEntry, PlanOffer, PlanSuggestions } from '@kc/rules/plan-shapes';
import { shownName } from '@kc/rules/visible-text';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted, exact, share } from '../../format/figure-text.ts';
import { levelOf } from '../../model/levels.ts';
import { removedEntries } from '../../model/plan-state.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { ToggleChips } from '../toggle-chips.tsx';
import { warningsKey } from '../warnings/use-warnings.tsx';
import { CoverageBar, plannedFigures } from './coverage-bar.tsx';
import { MissingEntries } from './missing-entries.tsx';
import { canPlan, openEntry, togglePlanned } from './plan-actions.ts';
import { PlanEditor } from './plan-editor.tsx';
import { explainPlan, NotSent, PlanFailure, StatusIcon, StatusMark, sayPlan, statusWords } from './plan-texts.tsx';
import {
  usePlan,
  usePlannedEntries,
  usePlannedNode,
  usePlanState,
  usePlanSuggestions,
  usePlanTotals,
} from './use-plan.ts';

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
  const open = (one: PlanEntry) => openEntry(explorer, one);
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

type Props = {
  readonly entries: readonly PlanEntry[];
  /** The ID of the entry of the selected node. */
  readonly selected: string | undefined;
  readonly onOpen: (entry: PlanEntry) => void;
};

const linesAtATime = 100;

/** The entries by status, the heaviest first. */
function PlanList({ entries, selected, onOpen }: Props) {
  const { recentWriters, people } = usePlanState();
  const [most, setMost] = useState(linesAtATime);
  const ordered = planStatuses.flatMap((status) => entries.filter((entry) => entry.status === status));
  return (
    <section aria-label="Entries" className="flex flex-col gap-2">
      <ul aria-label="Entries of the plan" className="m-0 -mx-2 flex list-none flex-col p-0">
        {ordered.slice(0, most).map((entry) => {
          const writer = recentWriters.get(entry.id);
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
                  <bdi className="block truncate">{shownName(entry.path.at(-1)!)}</bdi>
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

type ChangedEntriesProps = {
  readonly entries: readonly PlanEntry[];
  readonly changed: PlanSuggestions['changed'];
  readonly onOpen: (entry: PlanEntry) => void;
};

/** Entries whose branches hold few of the keywords that they had when they were planned. */
function ChangedEntries({ entries, changed, onOpen }: ChangedEntriesProps) {
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

const maxListed = 100;

/** Entries that were removed; their fields come back with them. */
function RemovedEntries({ entries }: { readonly entries: readonly PlanEntry[] }) {
  const plan = usePlan();
  return (
    <details className="text-small">
      <summary className="cursor-pointer py-1 font-medium text-muted">Removed ({exact(entries.length)})</summary>
      <ul aria-label="Removed" className="m-0 flex list-none flex-col gap-1 p-0">
        {entries.slice(0, maxListed).map(({ id, path }) => (
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

/** Offers to continue a plan that was begun for data under another root. Nothing is written until somebody chooses. */
function OfferedPlan() {
  const explorer = useExplorer();
  const plan = usePlan();
  // Whoever continues a plan, entries have other nodes afterwards.
  const { matching } = usePlanState();
  const queryKey = ['plan offer', explorer.id, matching];
  const { data: offer } = useQuery({
    queryKey,
    queryFn: async () => (await plan.calls.offer({})).offer ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return offer ? <Offered offer={offer} queryKey={queryKey} /> : null;
}

type OfferedProps = { readonly offer: PlanOffer; readonly queryKey: readonly unknown[] };

function Offered({ offer: first, queryKey: key }: OfferedProps) {
  const explorer = useExplorer();
  const plan = usePlan();
  const queries = useQueryClient();
  const toast = useToast();
  // While the offer is open, it is asked for again with every change of the plans: somebody else may have chosen.
  const { data: offer } = useQuery({
    queryKey: ['plans', ...key],
    queryFn: async () => (await plan.calls.offer({})).offer ?? null,
    initialData: first,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { mutate, isPending } = useMutation({
    mutationFn: (chosen: string | null) => plan.calls.choose({ plan: chosen }),
    onSuccess: async ({ isContinued }) => {
      queries.setQueryData(key, null);
      toast(sayPlan(isContinued ? 'plan/continued' : 'plan/kept-apart'));
      await plan.load();
      // The judgements have changed with the plan, and so has what a filter by warnings keeps.
      explorer.store.setState(({ warningStamp }) => ({ warningStamp: warningStamp + 1 }));
      await queries.invalidateQueries({ queryKey: warningsKey(explorer) });
    },
    onError: (failure) => toast(explainPlan(explorer, failure)),
  });
  if (!offer) return null;
  return (
    <section aria-label="Earlier plan" className="flex flex-col gap-2 rounded-card border border-line bg-sunken p-3">
      <p className="m-0 text-small wrap-anywhere">
        {questionOf(offer)}
        {offer.own > 0 && ` ${sayPlan('plan/continue-joins', { what: counted(offer.own, 'entry', 'entries') })}`}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="dense" disabled={isPending} onClick={() => mutate(offer.plan)}>
          Continue
        </Button>
        <Button size="dense" disabled={isPending} onClick={() => mutate(null)}>
          {offer.own > 0 ? 'Keep this plan' : 'Start an empty plan'}
        </Button>
      </div>
    </section>
  );
}

function questionOf({ root, matched, entries }: PlanOffer): string {
  const figures = { matched: exact(matched), entries: exact(entries) };
  return root === undefined
    ? sayPlan('plan/continue-unnamed', figures)
    : sayPlan('plan/continue', { root, ...figures });
}
