import { useEffect } from 'react';
import { type PlanStamp, planStampOf, tellsFields, tellsStatus } from '../../model/plan-state.ts';
import { useExplorer } from '../explorer-context.ts';
import { usePlan, usePlanUpdates } from './use-plan.ts';

/** Shows nothing; see {@link usePlanUpdates}. Tells the map, too, when a status has changed, or a field that a filter can name. */
export function PlanUpdates() {
  usePlanUpdates();
  const { store } = useExplorer();
  const plan = usePlan();
  useEffect(() => {
    let statuses: PlanStamp | undefined;
    let fields: PlanStamp | undefined;
    const tell = () => {
      const state = plan.store.getState();
      statuses = planStampOf(state, statuses, tellsStatus);
      fields = planStampOf(state, fields, tellsFields);
      store.setState({ planStamp: statuses?.stamp, plannedStamp: fields?.stamp });
    };
    tell();
    return plan.store.subscribe(tell);
  }, [plan, store]);
  return null;
}
