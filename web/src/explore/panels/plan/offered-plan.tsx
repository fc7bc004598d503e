import type { PlanOffer } from '@kc/rules/plan-shapes';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Button } from '../../../ui/button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { useExplorer } from '../explorer-context.ts';
import { warningsKey } from '../warnings/use-warnings.ts';
import { explainPlan, sayPlan } from './plan-texts.ts';
import { usePlan, usePlanState } from './use-plan.ts';

/** Offers to continue a plan that was begun for data under another root. Nothing is written until somebody chooses. */
export function OfferedPlan() {
  const explorer = useExplorer();
  const plan = usePlan();
  // Whoever continues a plan, entries have other nodes afterwards.
  const { matching } = usePlanState();
  const queryKey = ['plan offer', explorer.id, matching];
  const { data: offer } = useQuery({
    queryKey,
    queryFn: async () => (await plan.calls()).offer(),
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
    queryFn: async () => (await plan.calls()).offer(),
    initialData: first,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const { mutate, isPending } = useMutation({
    mutationFn: async (chosen: string | null) => (await plan.calls()).choose(chosen),
    onSuccess: async (isContinued) => {
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
