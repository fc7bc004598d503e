import { useStore } from 'zustand';
import { Badge } from '../../../ui/badge.tsx';
import { plannedEntries } from '../../model/plan-state.ts';
import { usePlan } from './use-plan.ts';

/** The number of entries in the plan, once it is known. */
export function PlanCount() {
  const { store } = usePlan();
  const isLoaded = useStore(store, (state) => state.isLoaded);
  const count = useStore(store, (state) => plannedEntries(state).length);
  if (!isLoaded) return null;
  return <Badge className="min-w-8">{count > 999 ? '999+' : count}</Badge>;
}
