import { monthText } from '@kc/rules/plan';
import type { PlanEntry } from '@kc/rules/plan-shapes';
import { counted } from '../../format/figure-text.ts';
import { dueOf, monthOf } from '../../model/plan-list.ts';
import { useExplorer } from '../explorer-context.ts';
import { CoverageBar } from '../plan/coverage-bar.tsx';
import { loadFailureText } from '../plan/plan-texts.ts';
import { statusWords } from '../plan/plan-words.tsx';
import { usePlannedEntries, usePlanState } from '../plan/use-plan.ts';
import { Asked, ReportSection } from './report-section.tsx';
import { ReportTable } from './report-table.tsx';
import { type ReportScene, usePlanProgress } from './use-report.ts';

/** How far the plan is, in all and by branch, and what is due soon. */
export function ReportPlan({ scene }: { readonly scene: ReportScene }) {
  const explorer = useExplorer();
  const { isLoaded, failure, revision } = usePlanState();
  const planned = usePlannedEntries();
  const progress = usePlanProgress(scene, planned, revision);
  const due = dueSoon(planned, monthOf(new Date()));
  if (planned.length === 0) {
    return (
      <ReportSection title="Plan">
        <p className="m-0 text-small text-muted">
          {isLoaded
            ? 'Nothing is planned yet.'
            : failure === undefined
              ? 'Loading…'
              : loadFailureText(explorer, failure)}
        </p>
      </ReportSection>
    );
  }
  return (
    <ReportSection title="Plan" note={`${counted(planned.length, 'entry', 'entries')}, whatever the filter keeps.`}>
      <Asked asked={progress}>
        {({ whole, branches, more }) => (
          <>
            <div className="break-inside-avoid">
              <CoverageBar coverage={whole} of="all" />
            </div>
            <ul className="m-0 grid list-none grid-cols-2 gap-x-6 gap-y-3 p-0 max-sm:grid-cols-1">
              {branches.map(({ name, entries, totals }) => (
                <li key={name} className="break-inside-avoid">
                  <p className="m-0 text-small">
                    <bdi className="font-medium">{name}</bdi>{' '}
                    <span className="text-muted">{counted(entries, 'entry', 'entries')}</span>
                  </p>
                  <CoverageBar coverage={totals} of="its" />
                </li>
              ))}
            </ul>
            {more > 0 && (
              <p className="m-0 text-small text-muted">{counted(more, 'more branch', 'more branches')} with entries</p>
            )}
          </>
        )}
      </Asked>
      <h4 className="m-0 mt-2 text-small font-semibold">Due within three months</h4>
      {due.length === 0 ? (
        <p className="m-0 text-small text-muted">Nothing is due.</p>
      ) : (
        <ReportTable
          label="Due within three months"
          columns={[{ title: 'Due' }, { title: 'What' }, { title: 'Status' }, { title: 'Owner' }]}
          rows={due.map(({ id, due: month, path, status, assignee }) => ({
            key: id,
            cells: [
              monthText(month),
              <bdi key="path">{path.join(' › ')}</bdi>,
              statusWords[status],
              assignee === '' ? 'nobody' : <bdi key="owner">{assignee}</bdi>,
            ],
          }))}
        />
      )}
    </ReportSection>
  );
}

/** The entries that are not live yet and are due this month, in the next two, or before: the earliest first. */
export function dueSoon(planned: readonly PlanEntry[], month: string): PlanEntry[] {
  const isDue = (entry: PlanEntry) => entry.status !== 'live' && ['overdue', 'soon'].includes(dueOf(entry, month)!);
  return planned.filter(isDue).sort((one, other) => (one.due < other.due ? -1 : one.due > other.due ? 1 : 0));
}
