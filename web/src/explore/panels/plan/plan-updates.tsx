import { useEffect } from 'react';
import { type PlanStamp, planStampOf } from '../../model/plan-stamp.ts';
import { useExplorer } from '../explorer-context.ts';
import { usePlan, usePlanUpdates } from './use-plan.ts';

/** Shows nothing; see {@link usePlanUpdates}. Tells the map, too, when a status has changed. */
export function PlanUpdates() {
  usePlanUpdates();
  const { store } = useExplorer();
  const plan = usePlan();
  useEffect(() => {
    let known: PlanStamp | undefined;
    const tell = () => {
      known = planStampOf(plan.store.getState(), known);
      store.setState({ planStamp: known?.stamp });
    };
    tell();
    return plan.store.subscribe(tell);
  }, [plan, store]);
  return null;
}
