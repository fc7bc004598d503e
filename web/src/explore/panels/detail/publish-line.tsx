import { monthText } from '@kc/rules/plan';
import { leadMonths, publishBy } from '@kc/rules/publish-by';
import { Button } from '../../../ui/button.tsx';
import { monthOf } from '../../model/plan-list-look.ts';
import { entryAtNode } from '../../model/plan-state.ts';
import { useExplorer } from '../explorer-context.ts';
import { usePlan, usePlanState } from '../plan/use-plan.ts';

/**
 * When to publish for the next peak of a node.
 *
 * @param peak one of the twelve months to `newest`, 0 for the oldest
 */
export function PublishLine({ peak, newest, node }: { peak: number; newest: string; node: number }) {
  const { isKept } = useExplorer();
  const month = publishBy(peak, newest, monthOf(new Date()));
  return (
    <>
      <p className="m-0 text-small">
        Publish by {monthText(month)}, {leadMonths} months before the next peak.
      </p>
      {isKept && node > 0 && <UseAsDueMonth month={month} node={node} />}
    </>
  );
}

/** Puts the node into the plan with this month, if it is not there yet. */
function UseAsDueMonth({ month, node }: { month: string; node: number }) {
  const { tree } = useExplorer();
  const plan = usePlan();
  const state = usePlanState();
  const row = tree.rowOf(node);
  if (row < 0 || !state.isLoaded) return null;
  const address = tree.addressOf(row);
  if (entryAtNode(state, address)?.due === month) {
    return <p className="m-0 text-micro text-muted">{monthText(month)} is the due month in the plan.</p>;
  }
  return (
    <Button size="dense" className="mt-1" onClick={() => plan.change([{ node: address }], { set: { due: month } })}>
      Use as due month
    </Button>
  );
}
