import { limits } from '@kc/rules/limits';
import { useQuery } from '@tanstack/react-query';
import { ListPlus, ListX, PenLine } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { MenuItem } from '../../../ui/menu.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useWindowEvent } from '../../../ui/use-window-event.ts';
import { fieldsText, type PlanStamp, plannedEntries, planStampOf, statusText } from '../../model/plan-state.ts';
import { useExplorer } from '../explorer-context.ts';
import { editPlanned, isPlanned, togglePlanned } from './plan-actions.ts';
import { newsText, StatusIcon, statusWords } from './plan-texts.tsx';
import { usePlan, usePlannedNode } from './use-plan.ts';

/** The number of entries in the plan, once it is known. */
export function PlanCount() {
  const { store } = usePlan();
  const isLoaded = useStore(store, (state) => state.isLoaded);
  const count = useStore(store, (state) => plannedEntries(state).length);
  if (!isLoaded) return null;
  return <Badge className="min-w-8">{count > 999 ? '999+' : count}</Badge>;
}

/** In the details of a node: adds it to the plan, or opens its entry. */
export function PlanButton({ row }: { readonly row: number }) {
  const explorer = useExplorer();
  const toast = useToast();
  const { entry } = usePlannedNode();
  if (entry) {
    return (
      <Button
        size="dense"
        icon={<StatusIcon status={entry.status} />}
        onClick={() => editPlanned(explorer, row, toast)}
      >
        {`Plan: ${statusWords[entry.status]}`}
      </Button>
    );
  }
  return (
    <Button
      size="dense"
      variant="primary"
      icon={<ListPlus size={16} strokeWidth={2} />}
      onClick={() => togglePlanned(explorer, [row], toast)}
    >
      Add to plan
    </Button>
  );
}

/** The plan in the context menu of a node. */
export function PlanMenuItems({ row }: { readonly row: number }) {
  const explorer = useExplorer();
  const toast = useToast();
  const planned = isPlanned(explorer, row);
  return (
    <>
      <MenuItem
        icon={planned ? <ListX size={18} /> : <ListPlus size={18} />}
        onSelect={() => togglePlanned(explorer, [row], toast)}
      >
        {planned ? 'Remove from plan' : 'Add to plan'}
      </MenuItem>
      <MenuItem icon={<PenLine size={18} />} onSelect={() => editPlanned(explorer, row, toast)}>
        Edit plan…
      </MenuItem>
    </>
  );
}

/** Shows nothing; see {@link usePlanUpdates}. Tells the map, too, when a status has changed, or a field that a filter can name. */
export function PlanUpdates() {
  usePlanUpdates();
  const { store } = useExplorer();
  const plan = usePlan();
  useEffect(() => {
    let statuses: PlanStamp | undefined;
    let fields: PlanStamp | undefined;
    const update = () => {
      const state = plan.store.getState();
      statuses = planStampOf(state, statuses, statusText);
      fields = planStampOf(state, fields, fieldsText);
      store.setState({ planStamp: statuses?.stamp, plannedStamp: fields?.stamp });
    };
    update();
    return plan.store.subscribe(update);
  }, [plan, store]);
  return null;
}

/** Keeps the plan up to date while the visualization is shown, and tells the person about writes that were refused. */
export function usePlanUpdates(): void {
  const explorer = useExplorer();
  const plan = usePlan();
  const toast = useToast();
  useQuery({
    queryKey: ['plans', explorer.id, plan.number],
    queryFn: () => plan.load().then(() => null),
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    plan.onNews((news) => toast(newsText(explorer, news)));
  }, [explorer, plan, toast]);
  useWindowEvent('online', () => plan.resend());
  const isLost = useStore(plan.store, (state) => state.isLost);
  useEffect(() => {
    if (!isLost) return;
    // The connection may be as good as before: the server was restarted, or had too much to do.
    const timer = setInterval(plan.resend, limits.planSendAgainMs);
    return () => clearInterval(timer);
  }, [isLost, plan]);
  const isWaiting = useStore(plan.store, ({ pendingWrites }) => pendingWrites.length > 0);
  useEffect(() => {
    if (!isWaiting) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [isWaiting]);
  const isMarked = useStore(plan.store, ({ recentWriters }) => recentWriters.size > 0);
  useEffect(() => {
    if (!isMarked) return;
    const timer = setTimeout(plan.forgetWriters, limits.planMarkedMs);
    return () => clearTimeout(timer);
  }, [isMarked, plan]);
}
