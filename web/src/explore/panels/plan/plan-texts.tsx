import { textsOf } from '@kc/rules/catalogue';
import { limits } from '@kc/rules/limits';
import { isDueMonth, isTargetUrl, type PlanField } from '@kc/rules/plan';
import { planMessages } from '@kc/rules/plan-messages';
import { Button } from '../../../ui/button.tsx';
import type { Explorer } from '../../model/explorer.ts';
import type { PlanNews } from '../../model/plan.ts';
import { useExplorer } from '../explorer-context.ts';
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

const { say: sayPlan, sayRefusal } = textsOf(planMessages);

export { sayPlan };

/** How long the texts of an entry may be. */
export const textLengths = {
  due: 7,
  url: limits.maxPlanUrlLength,
  primaryKeyword: limits.maxPlanKeywordLength,
  tags: limits.maxPlanTags * (limits.maxPlanTagLength + 2),
  note: limits.maxPlanNoteLength,
} as const;

/** What is wrong with a text that somebody typed into a field. */
export function problemOf(field: PlanField, text: string): string | undefined {
  if (field === 'due' && text !== '' && !isDueMonth(text)) return sayPlan('plan/due');
  if (field === 'url' && text.trim() !== '' && !isTargetUrl(text.trim())) return sayPlan('plan/url');
  return undefined;
}

type Explains = Pick<Explorer, 'explain'>;

/** Why a call about the plan failed. */
export function explainPlan(explorer: Explains, failure: unknown): string {
  const data = failure instanceof Error && 'data' in failure ? failure.data : undefined;
  const refusal = typeof data === 'object' && data !== null && 'code' in data ? data : undefined;
  const code = refusal?.code;
  if (typeof code !== 'string' || !Object.hasOwn(planMessages, code)) return explorer.explain(failure);
  return sayRefusal({ ...refusal, code });
}

/** What happened to a write. */
export const newsText = (explorer: Explains, news: Parameters<PlanNews>[0]): string =>
  'tagsFull' in news
    ? sayPlan('plan/tags-full', { max: limits.maxPlanTags })
    : sayPlan('plan/not-saved', { reason: explainPlan(explorer, news.refused) });

/** Why there is no plan to show. */
export const loadFailureText = (explorer: Explains, failure: unknown): string =>
  `${sayPlan('plan/load-failed')} ${explainPlan(explorer, failure)}`;
