import { quietKind } from '@kc/rules/warnings';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, SlidersHorizontal } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { isMarking } from '../../model/warning-marks.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { DismissedList } from './dismissed-list.tsx';
import { KindGroup } from './kind-group.tsx';
import { useShownMarks } from './shown-warnings.ts';
import { stepWarnings } from './step-warnings.ts';
import { Thresholds } from './thresholds.tsx';
import { badgeCount, useWarningSummary } from './use-warnings.ts';
import { missingText } from './warning-texts.ts';

/** What may be wrong with the hierarchy, by kind. */
export function WarningsPanel() {
  const explorer = useExplorer();
  const found = useWarningSummary();
  const [isSetting, setSetting] = useState(false);
  if (found.isError) {
    return (
      <div
        role="alert"
        className="m-4 flex flex-col items-start gap-2 rounded-control bg-bad-soft p-3 text-small text-bad"
      >
        {explorer.explain(found.error)}
        <Button size="dense" onClick={() => void found.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!found.data) return <Skeleton className="m-4 h-40" />;
  const { kinds, thresholds } = found.data;
  const listed = kinds.filter(({ count }) => count > 0);
  const missing = kinds.filter((kind) => kind.missing);
  return (
    <div className="flex flex-col gap-4 p-4">
      <div className="flex items-center gap-1">
        <h2 className="m-0 min-w-0 flex-1 text-small font-semibold">{counted(badgeCount(found.data), 'warning')}</h2>
        {listed.length > 0 && <Stepper />}
        {explorer.isKept && (
          <IconButton size="dense" label="Thresholds" aria-expanded={isSetting} onClick={() => setSetting(!isSetting)}>
            <SlidersHorizontal size={16} strokeWidth={1.75} aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {isSetting && <Thresholds kept={thresholds} />}
      <MarkSwitches hasUnknown={listed.some(({ kind }) => kind === quietKind)} />
      {listed.length === 0 && <p className="m-0 text-small text-muted">No warnings with these thresholds.</p>}
      <div className="flex flex-col">
        {listed.map(({ kind, count }) => (
          <KindGroup key={kind} kind={kind} count={count} />
        ))}
      </div>
      {missing.length > 0 && (
        <ul className="m-0 flex list-none flex-col gap-1 p-0 text-micro text-muted">
          {missing.map((kind) => (
            <li key={kind.kind}>{missingText(kind)}</li>
          ))}
        </ul>
      )}
      {explorer.isKept && <DismissedList />}
    </div>
  );
}

function Stepper() {
  const explorer = useExplorer();
  const queries = useQueryClient();
  const step = (by: 1 | -1) =>
    stepWarnings(explorer, queries, by).catch((failure: unknown) =>
      explorer.store.setState({ notice: explorer.explain(failure) }),
    );
  return (
    <>
      <IconButton size="dense" label="Previous warning" onClick={() => void step(-1)}>
        <ChevronLeft size={16} aria-hidden="true" />
      </IconButton>
      <IconButton size="dense" label="Next warning" onClick={() => void step(1)}>
        <ChevronRight size={16} aria-hidden="true" />
      </IconButton>
    </>
  );
}

function MarkSwitches({ hasUnknown }: { readonly hasUnknown: boolean }) {
  const { store } = useExplorer();
  const isShown = useLook((state) => isMarking(state));
  const withUnknown = useLook((state) => state.isUnknownWarned);
  const marks = useShownMarks();
  return (
    <div className="flex flex-col gap-2 text-small">
      <div className="flex items-center justify-between gap-3">
        <span aria-hidden="true">Show on the map</span>
        <Switch label="Show on the map" checked={isShown} onChange={(isWarned) => store.setState({ isWarned })} />
      </div>
      {hasUnknown && isShown && (
        <div className="flex items-center justify-between gap-3">
          <span aria-hidden="true">Mostly unknown, too</span>
          <Switch
            label="Show mostly unknown on the map"
            checked={withUnknown}
            onChange={(isUnknownWarned) => store.setState({ isUnknownWarned })}
          />
        </div>
      )}
      {marks?.isCut && (
        <p className="m-0 text-micro text-muted">
          The map marks the {exact(marks.rows.length)} nodes nearest to the root. All warnings are in the list.
        </p>
      )}
    </div>
  );
}
