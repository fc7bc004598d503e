import { textsOf } from '@kc/rules/catalogue';
import { limits } from '@kc/rules/limits';
import { planMessages } from '@kc/rules/plan-messages';
import type { Explorer } from '../../model/explorer.ts';
import type { PlanNews } from '../../model/plan.ts';

const { say: sayPlan, sayRefusal } = textsOf(planMessages);

export { sayPlan };

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
