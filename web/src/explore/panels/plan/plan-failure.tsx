import { Button } from '../../../ui/button.tsx';
import { useExplorer } from '../explorer-context.ts';
import { loadFailureText } from './plan-texts.ts';
import { usePlan, usePlanState } from './use-plan.ts';

/** In place of a plan that could not be loaded. */
export function PlanFailure({ failure }: { readonly failure: unknown }) {
  const explorer = useExplorer();
  const plan = usePlan();
  return (
    <div
      role="alert"
      className="m-4 flex flex-col items-start gap-2 rounded-control bg-bad-soft p-3 text-small text-bad"
    >
      {loadFailureText(explorer, failure)}
      <Button size="dense" onClick={() => void plan.load().catch(() => undefined)}>
        Try again
      </Button>
    </div>
  );
}

/** While edits wait for a server that cannot be reached. */
export function NotSent() {
  const plan = usePlan();
  const { isLost } = usePlanState();
  if (!isLost) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center gap-2 rounded-control bg-warn-soft p-2 text-small text-warn"
    >
      Not saved yet. Your changes are sent when the server can be reached.
      <Button size="dense" onClick={plan.sendAgain}>
        Try again
      </Button>
    </div>
  );
}
