import { monthText } from '@kc/pack/vocabulary/months';
import { leads, leadText, publishBy } from '@kc/rules/plan';
import { useMutation } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { monthOf } from '../../model/plan-list.ts';
import { entryAtNode } from '../../model/plan-state.ts';
import { useExplorer } from '../explorer-context.ts';
import { explainPlan } from '../plan/plan-texts.tsx';
import { usePlan, usePlanState } from '../plan/use-plan.ts';

/**
 * When to publish for the next peak of a node.
 *
 * @param peak one of the twelve months to `newest`, 0 for the oldest
 */
export function PublishLine({ peak, newest, node }: { peak: number; newest: string; node: number }) {
  const { isKept } = useExplorer();
  const { lead, isLoaded } = usePlanState();
  const month = publishBy(peak, newest, monthOf(new Date()), lead);
  return (
    <>
      <p className="m-0 text-small">
        Publish by {monthText(month)}
        {!isKept && `, ${leadText(lead).toLowerCase()}`}.
      </p>
      {isKept && isLoaded && <Lead lead={lead} />}
      {isKept && node > 0 && <UseAsDueMonth month={month} node={node} />}
    </>
  );
}

/** How long before a peak to publish, for all of these data. */
function Lead({ lead }: { readonly lead: number }) {
  const explorer = useExplorer();
  const plan = usePlan();
  const toast = useToast();
  const { mutate, variables, isPending } = useMutation({
    mutationFn: async (lead: number) => {
      await plan.calls.lead({ lead });
      await plan.load();
    },
    onError: (failure) => toast(explainPlan(explorer, failure)),
  });
  return (
    <label className="mt-1 flex min-w-0 flex-wrap items-center gap-2 text-small">
      Publish
      <select
        aria-label="Publish"
        value={isPending ? variables : lead}
        onChange={({ target }) => mutate(Number(target.value))}
        className="h-8 min-w-0 rounded-control border border-line-strong bg-surface px-2 text-ink touch:h-11"
      >
        {leads.map((months) => (
          <option key={months} value={months}>
            {leadText(months)}
          </option>
        ))}
      </select>
    </label>
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
