import { monthText } from '@kc/rules/plan';
import { leadMonths, publishBy } from '@kc/rules/publish-by';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { LoadedSelect } from '../../../ui/lazy-select.tsx';
import { entryAtNode } from '../../model/plan-state.ts';
import { useExplorer } from '../explorer-context.ts';
import type { NewestMonth } from '../explorer-parts.ts';
import { usePlan, usePlanState } from '../plan/use-plan.ts';
import { useNewestMonth } from '../use-newest-month.ts';
import { seasonPeak, seasonText, type Trend, type TrendOf } from './season.ts';

/** How far the best month stands out, and when to publish for it. */
export function SeasonLines({ trend, of, node }: { trend: Trend; of: TrendOf; node: number }) {
  const explorer = useExplorer();
  const newest = useNewestMonth();
  const peak = seasonPeak(trend, of);
  const month = peak === undefined || newest === undefined ? undefined : publishBy(peak, newest, thisMonth());
  return (
    <>
      <p className="m-0 text-small">{seasonText(trend, of)}</p>
      {month && (
        <p className="m-0 text-small">
          Publish by {monthText(month)}, {leadMonths} months before the next peak.
        </p>
      )}
      {month && explorer.isKept && node > 0 && <UseAsDueMonth month={month} node={node} />}
    </>
  );
}

/** Where the reader is. */
function thisMonth(): string {
  const today = new Date();
  return `${today.getFullYear()}-${String(today.getMonth() + 1).padStart(2, '0')}`;
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

const monthsOffered = 36;

/** Asks which month the newest is, where the file only numbers them. */
export function NewestMonthForm({ known, suggested, isFromFileName, save }: NewestMonth) {
  const [chosen, setChosen] = useState(known ?? suggested);
  const [saving, setSaving] = useState(false);
  const [failure, setFailure] = useState('');
  const { explain } = useExplorer();
  const hint = isFromFileName ? 'from the file name' : 'the month of the upload';
  const options = lastMonths(monthsOffered, suggested).map((month) => {
    const label = monthText(month);
    return { value: month, label: month === suggested ? `${label} – ${hint}` : label };
  });
  const submit = async (): Promise<void> => {
    setSaving(true);
    setFailure('');
    try {
      await save(chosen);
    } catch (error) {
      setFailure(explain(error));
    } finally {
      setSaving(false);
    }
  };
  return (
    <div className="mt-2 flex flex-wrap items-end gap-2">
      <LoadedSelect
        label="Which month is the newest?"
        size="dense"
        className="flex-1"
        value={chosen}
        options={options}
        onChange={setChosen}
      />
      <Button size="dense" disabled={saving || chosen === known} onClick={() => void submit()}>
        Save
      </Button>
      {failure !== '' && (
        <p role="alert" className="m-0 basis-full text-small text-bad">
          {failure}
        </p>
      )}
    </div>
  );
}

/** The newest first, from this month or a later suggested one. */
function lastMonths(count: number, suggested: string): string[] {
  const now = new Date().toISOString().slice(0, 7);
  const [year, month] = (suggested > now ? suggested : now).split('-').map(Number) as [number, number];
  return Array.from({ length: count }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
}
