import { usePlanUpdates } from './use-plan.ts';

/** Shows nothing; see {@link usePlanUpdates}. */
export function PlanUpdates() {
  usePlanUpdates();
  return null;
}
