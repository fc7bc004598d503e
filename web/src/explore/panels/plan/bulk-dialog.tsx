import { labelWord } from '@kc/pack/filter-words/figure-name';
import type { PlanStatus } from '@kc/pack/vocabulary/choices';
import { limits } from '@kc/rules/limits';
import { type ContentType, leads, leadText, type Owner, type PlanChangeRequest } from '@kc/rules/plan';
import { type ReactNode, useId, useMemo, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { exact } from '../../format/figure-text.ts';
import { monthOf, tagChange } from '../../model/plan-list.ts';
import { type DueValue, dueGroups, type PlanTarget, peaksOfTargets, plannedEntries } from '../../model/plan-state.ts';
import { useNewestMonth } from '../explorer-context.ts';
import { OwnerInput } from './owner-input.tsx';
import { undoOf } from './plan-actions.ts';
import { ChoicesOf, fieldWords, problemOf, sayPlan } from './plan-texts.tsx';
import { usePlan, usePlanFigures, usePlannedEntries, usePlanState } from './use-plan.ts';

const fields = ['status', 'assignee', 'due', 'contentType', 'url', 'addTags', 'removeTags'] as const;
type BulkField = (typeof fields)[number];
const words: Readonly<Record<BulkField, string>> = {
  status: fieldWords.status,
  assignee: fieldWords.assignee,
  due: fieldWords.due,
  contentType: fieldWords.contentType,
  url: fieldWords.url,
  addTags: 'Tags to add',
  removeTags: 'Tags to remove',
};

type Values = Readonly<Record<Exclude<BulkField, 'due' | 'assignee'>, string>> & {
  readonly assignee: Owner;
  readonly due: DueValue;
};
const emptyValues: Values = {
  status: 'planned',
  assignee: '',
  due: { kind: 'month', month: '' },
  contentType: '',
  url: '',
  addTags: '',
  removeTags: '',
};

type BulkProps = {
  readonly targets: readonly PlanTarget[];
  /** “12 entries”, “3 clusters” */
  readonly what: string;
  readonly onClose: () => void;
};

/** Sets fields of several entries in one step, and adds those that are not in the plan. What is not checked stays as it is. */
export function BulkDialog({ targets, what, onClose }: BulkProps) {
  const plan = usePlan();
  const state = usePlanState();
  const { added, isTooMany } = useMemo(() => {
    const planned = plannedEntries(state);
    const there = new Set(planned.map(({ node }) => node));
    const others = targets.filter((target) => 'node' in target && !there.has(target.node)).length;
    return { added: others, isTooMany: planned.length + others > limits.maxPlanEntries };
  }, [state, targets]);
  const { newest, peaks } = usePeaks(targets);
  const toast = useToast();
  const [values, setValues] = useState<Values>(emptyValues);
  const [used, setUsed] = useState<ReadonlySet<BulkField>>(new Set(['status']));
  const [problem, setProblem] = useState<string>();
  const change = <F extends BulkField>(field: F, value: Values[F]) => {
    setValues({ ...values, [field]: value });
    setUsed(new Set([...used, field]));
  };
  const toggle = (field: BulkField) => {
    const next = new Set(used);
    if (!next.delete(field)) next.add(field);
    setUsed(next);
  };
  const chosen = fields.filter((field) => used.has(field));

  function apply(): void {
    const wrong = problemIn(values, used);
    setProblem(wrong);
    if (wrong !== undefined) return;
    const change = changeOf(values, used);
    const { due } = values;
    const step =
      used.has('due') && due.kind === 'publish' && newest !== undefined
        ? plan.changeEach(dueGroups(targets, change, peaks, { newest, current: monthOf(new Date()), lead: due.lead }))
        : plan.change(targets, change);
    toast(sayPlan('plan/set-many', { what }), undoOf(plan, step, toast));
    onClose();
  }

  return (
    <Dialog
      open
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={`Set fields of ${what}`}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" disabled={chosen.length === 0 || isTooMany} onClick={apply}>
            {chosen.length === 1 ? `Set ${labelWord(words[chosen[0]!])} of ${what}` : `Set ${what}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 text-small">
        {fields.map((field) => (
          <div key={field} className="grid grid-cols-[9rem_minmax(0,1fr)] items-center gap-3 max-[420px]:grid-cols-1">
            {/* Beside the first of several controls, not beside their middle. */}
            <div className={field === 'due' && newest !== undefined ? 'self-start pt-2 max-[420px]:pt-0' : ''}>
              <Checkbox label={words[field]} checked={used.has(field)} onChange={() => toggle(field)} />
            </div>
            {field === 'due' ? (
              <DueInput
                value={values.due}
                onChange={(value) => change('due', value)}
                peaking={newest === undefined ? undefined : peaks.size}
                lead={state.lead}
                className={look}
              />
            ) : field === 'assignee' ? (
              <OwnerInput
                label={`New ${labelWord(words.assignee)}`}
                owned={ownedBy(values.assignee, state.people)}
                onSave={(value) => change('assignee', value)}
                className={look}
              />
            ) : (
              <BulkInput field={field} value={values[field]} onChange={(value) => change(field, value)} />
            )}
          </div>
        ))}
        {problem !== undefined && (
          <p role="alert" className="m-0 rounded-control bg-bad-soft p-2 text-bad">
            {problem}
          </p>
        )}
        <p role="status" className="m-0 text-muted">
          {isTooMany ? sayPlan('plan/full', { max: exact(limits.maxPlanEntries) }) : previewText(chosen, what, added)}
        </p>
      </div>
    </Dialog>
  );
}

const ownedBy = (owner: Owner, people: ReadonlyMap<string, string>) =>
  typeof owner === 'string'
    ? { assignee: owner }
    : { assignee: people.get(owner.account) ?? '', assigneeId: owner.account };

/** When the targets are searched most, as far as they are in the plan. `newest` is undefined while nobody knows the months. */
function usePeaks(targets: readonly PlanTarget[]) {
  const newest = useNewestMonth(undefined);
  const entries = usePlannedEntries();
  const { data } = usePlanFigures();
  const peaks = useMemo(() => peaksOfTargets(targets, entries, data?.entries ?? []), [targets, entries, data]);
  return { newest, peaks };
}

/** “Sets status and owner of 1,204 clusters; 38 are not in the plan and will be added.” */
function previewText(chosen: readonly BulkField[], what: string, added: number): string {
  if (chosen.length === 0) return 'Nothing is chosen yet.';
  const names = new Intl.ListFormat('en').format(chosen.map((field) => labelWord(words[field])));
  const more = added === 0 ? '' : `; ${exact(added)} ${added === 1 ? 'is' : 'are'} not in the plan and will be added`;
  return `Sets ${names} of ${what}${more}. What somebody else changes meanwhile is left alone and shown.`;
}

function problemIn({ due, url }: Values, used: ReadonlySet<BulkField>): string | undefined {
  const ofDue = used.has('due') && due.kind === 'month' ? problemOf('due', due.month) : undefined;
  return ofDue ?? (used.has('url') ? problemOf('url', url) : undefined);
}

function changeOf(values: Values, used: ReadonlySet<BulkField>): PlanChangeRequest {
  const tags = (text: string) => tagChange([], text).addTags;
  return {
    set: {
      ...(used.has('status') && { status: values.status as PlanStatus }),
      ...(used.has('assignee') && { assignee: values.assignee }),
      ...(used.has('due') && values.due.kind === 'month' && { due: values.due.month }),
      ...(used.has('contentType') && { contentType: values.contentType as ContentType | '' }),
      ...(used.has('url') && { url: values.url.trim() }),
    },
    addTags: used.has('addTags') ? tags(values.addTags) : [],
    removeTags: used.has('removeTags') ? tags(values.removeTags) : [],
  };
}

type InputProps = {
  readonly field: Exclude<BulkField, 'due' | 'assignee'>;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const look =
  'h-9 w-full rounded-control border border-line-strong bg-surface px-2 text-body text-ink touch:h-11 touch:text-touch';

function BulkInput({ field, value, onChange }: InputProps): ReactNode {
  const label = `New ${labelWord(words[field])}`;
  if (field === 'status' || field === 'contentType') {
    return (
      <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)} className={look}>
        <ChoicesOf field={field} />
      </select>
    );
  }
  return (
    <input
      aria-label={label}
      value={value}
      maxLength={limits.maxPlanUrlLength}
      placeholder={field.endsWith('Tags') ? 'With commas between' : 'Empty clears it'}
      autoComplete="off"
      onChange={({ target }) => onChange(target.value)}
      className={look}
    />
  );
}

type DueProps = {
  readonly value: DueValue;
  readonly onChange: (value: DueValue) => void;
  /** How many of the entries have a month to publish by. Undefined if nobody knows which months the trends are of. */
  readonly peaking: number | undefined;
  /** The lead of the plan, in months. */
  readonly lead: number;
  readonly className: string;
};

/** The same month for all, or for each the month to publish by for its next peak. */
function DueInput({ value, onChange, peaking, lead: defaultLead, className }: DueProps) {
  const note = useId();
  const isEach = value.kind === 'publish';
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 flex-col gap-2">
        {(peaking !== undefined || isEach) && (
          <select
            aria-label="Due month of"
            value={value.kind}
            onChange={({ target }) =>
              onChange(
                target.value === 'publish' ? { kind: 'publish', lead: defaultLead } : { kind: 'month', month: '' },
              )
            }
            className={className}
          >
            <option value="month">The same for all</option>
            <option value="publish" disabled={!peaking}>
              Publish-by month of each
            </option>
          </select>
        )}
        {value.kind === 'publish' ? (
          <select
            aria-label="Months before the peak"
            aria-describedby={note}
            value={value.lead}
            onChange={({ target }) => onChange({ kind: 'publish', lead: Number(target.value) })}
            className={className}
          >
            {leads.map((lead) => (
              <option key={lead} value={lead}>
                {leadText(lead)}
              </option>
            ))}
          </select>
        ) : (
          <input
            aria-label="New due"
            type="month"
            // Firefox and Safari on computers have no input for months, and show a field for text.
            placeholder="2026-12"
            pattern="\d{4}-(?:0[1-9]|1[0-2])"
            value={value.month}
            autoComplete="off"
            onChange={({ target }) => onChange({ kind: 'month', month: target.value })}
            className={className}
          />
        )}
      </div>
      {isEach && (
        <p id={note} className="m-0 text-micro text-muted">
          {exact(peaking ?? 0)} of them peak in a month. The others keep their due month.
        </p>
      )}
    </div>
  );
}
