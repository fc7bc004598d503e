import type { PlanField } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { Button } from '../../../ui/button.tsx';
import { sayPlan, shortAgoText, valueText } from './plan-texts.tsx';
import { usePlan, usePlanState } from './use-plan.ts';

/** For a field that somebody else has set meanwhile: both values, and a choice. */
export function FieldConflict({ entry, field }: { readonly entry: PlanEntry; readonly field: PlanField }) {
  const plan = usePlan();
  const { conflicts, people } = usePlanState();
  const conflict = conflicts.get(entry.id)?.find((one) => one.field === field);
  const mark = entry.marks[field];
  if (!conflict || !mark) return null;
  const theirs = valueText(field, entry[field]);
  const yours = valueText(field, conflict.wanted, people);
  const isLong = field === 'note';
  return (
    <div role="alert" className="mt-1.5 flex flex-col gap-2 rounded-control bg-warn-soft p-2 text-small text-warn">
      <p className="m-0 whitespace-pre-wrap wrap-anywhere">
        {sayPlan('plan/conflict', {
          name: people.get(mark.by) ?? 'A deleted account',
          theirs,
          ago: shortAgoText(Date.now() - mark.at),
          yours,
        })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="dense" onClick={() => plan.settle(entry.id, field, 'keep')}>
          {isLong ? 'Keep theirs' : `Keep ${theirs}`}
        </Button>
        <Button size="dense" onClick={() => plan.settle(entry.id, field, 'use')}>
          {isLong ? 'Use yours' : `Use ${yours}`}
        </Button>
      </div>
    </div>
  );
}
