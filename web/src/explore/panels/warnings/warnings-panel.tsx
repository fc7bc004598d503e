import { defaultThresholds, type WarningKind, type WarningThresholds } from '@kc/pack/vocabulary/warnings';
import { areDefaults, areThresholds, quietKind, thresholdRanges } from '@kc/rules/warnings';
import { useQueryClient } from '@tanstack/react-query';
import { ChevronLeft, ChevronRight, SlidersHorizontal } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/checkbox.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { dayText } from '../../../ui/number-text.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { isMarking } from '../../model/warning-marks.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { PartFailure } from '../failure.tsx';
import { Disclosure } from '../section.tsx';
import { useJudge } from './judge.ts';
import { stepWarnings } from './step-warnings.ts';
import { badgeCount, useDismissed, useShownMarks, useWarningLines, useWarningSummary } from './use-warnings.tsx';
import { WarningItem } from './warning-item.tsx';
import { kindNames, missingText, subjectOf, thresholdNames } from './warning-texts.ts';

/** What may be wrong with the hierarchy, by kind. */
export function WarningsPanel() {
  const explorer = useExplorer();
  const found = useWarningSummary();
  const [isSetting, setSetting] = useState(false);
  if (found.isError) {
    return (
      <PartFailure className="m-4 p-3" onRetry={() => void found.refetch()}>
        {explorer.explain(found.error)}
      </PartFailure>
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
        {(explorer.isKept || explorer.isDraft) && (
          <IconButton size="dense" label="Thresholds" aria-expanded={isSetting} onClick={() => setSetting(!isSetting)}>
            <SlidersHorizontal size={16} />
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
        <ChevronLeft size={16} strokeWidth={2} />
      </IconButton>
      <IconButton size="dense" label="Next warning" onClick={() => void step(1)}>
        <ChevronRight size={16} strokeWidth={2} />
      </IconButton>
    </>
  );
}

function MarkSwitches({ hasUnknown }: { readonly hasUnknown: boolean }) {
  const { store } = useExplorer();
  const isShown = useLook(isMarking);
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

const sectionHead = 'min-h-10 rounded-control font-medium hover:bg-sunken';

/** The warnings of one kind, closed at first. Stepping to one of them opens it. */
function KindGroup({ kind, count }: { readonly kind: WarningKind; readonly count: number }) {
  const steppedTo = useLook((state) => (state.warning?.kind === kind ? state.warning : undefined));
  const [isOpen, setOpen] = useState(steppedTo !== undefined);
  useEffect(() => {
    if (steppedTo) setOpen(true);
  }, [steppedTo]);
  return (
    <Disclosure
      label={kindNames[kind]}
      heading={
        <>
          <span className="min-w-0 flex-1">{kindNames[kind]}</span>
          <Badge tone="warn">{exact(count)}</Badge>
        </>
      }
      isOpen={isOpen}
      setOpen={setOpen}
      className="border-b border-line last:border-b-0"
      headClassName={sectionHead}
    >
      <Lines kind={kind} steppedTo={steppedTo?.index} />
    </Disclosure>
  );
}

function Lines({ kind, steppedTo }: { readonly kind: WarningKind; readonly steppedTo: number | undefined }) {
  const explorer = useExplorer();
  const { data, isError, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = useWarningLines(kind);
  const lines = data?.pages.flatMap((page) => page.lines) ?? [];
  const needsNextPage = steppedTo !== undefined && steppedTo >= lines.length && hasNextPage && !isFetchingNextPage;
  useEffect(() => {
    if (needsNextPage) void fetchNextPage();
  }, [needsNextPage, fetchNextPage]);
  if (isError) {
    return (
      <PartFailure className="mb-2 p-2" onRetry={() => void refetch()}>
        {explorer.explain(error)}
      </PartFailure>
    );
  }
  if (!data) return <Skeleton className="mb-2 h-16" />;
  return (
    <>
      <ul className="m-0 flex list-none flex-col gap-1 p-0 pb-2">
        {lines.map((line, index) => (
          <WarningItem
            key={`${line.node} ${line.subject ?? ''}`}
            line={line}
            index={index}
            isSteppedTo={index === steppedTo}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button size="dense" className="mb-2" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show more
        </Button>
      )}
    </>
  );
}

/** The dismissed warnings of these data, newest first. */
function DismissedList() {
  const { data } = useDismissed();
  const { restore } = useJudge();
  const [isOpen, setOpen] = useState(false);
  if (!data || data.length === 0) return null;
  return (
    <Disclosure
      label="Dismissed"
      heading={`Dismissed (${exact(data.length)})`}
      isOpen={isOpen}
      setOpen={setOpen}
      headClassName={sectionHead}
    >
      <ul className="m-0 flex list-none flex-col gap-2 p-0">
        {data.map((one) => (
          <li key={one.id} className="flex items-start gap-2 px-2">
            <span className="min-w-0 flex-1">
              <bdi className="block text-small wrap-anywhere">
                {subjectOf(one) ?? (one.path.join(' › ') || 'Everything')}
              </bdi>
              <span className="text-micro text-muted">
                {kindNames[one.kind]}
                {one.by !== undefined && ` · ${one.by}`} · {dayText(one.at)}
              </span>
            </span>
            <Button
              size="dense"
              aria-label={`Restore ${subjectOf(one) ?? one.path.at(-1) ?? kindNames[one.kind]}`}
              onClick={() => void restore(one.id)}
            >
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

const names = Object.keys(thresholdRanges) as (keyof WarningThresholds)[];

/** Fields for all thresholds. They are kept for the data when a field is left or Enter is pressed. */
function Thresholds({ kept }: { readonly kept: WarningThresholds }) {
  const { setThresholds } = useJudge();
  const [texts, setTexts] = useState<Partial<Record<keyof WarningThresholds, string>>>({});
  const id = useId();
  const thresholdOf = (name: keyof WarningThresholds) =>
    texts[name] === undefined ? kept[name] : numberIn(texts[name]);
  const save = () => {
    const values = Object.fromEntries(names.map((name) => [name, thresholdOf(name)])) as WarningThresholds;
    const isChanged = names.some((name) => values[name] !== kept[name]);
    if (!isChanged || !areThresholds(values)) return;
    // What was typed meanwhile stays.
    void setThresholds(values).then(() => setTexts((now) => (now === texts ? {} : now)));
  };
  return (
    <form
      aria-label="Thresholds"
      className="flex flex-col gap-2 rounded-card border border-line p-3"
      onSubmit={(event) => event.preventDefault()}
    >
      {names.map((name) => {
        const [least, most] = thresholdRanges[name];
        const isWrong = !areThresholds({ ...defaultThresholds, [name]: thresholdOf(name) });
        return (
          <div key={name} className="flex flex-wrap items-center justify-between gap-x-3">
            <label htmlFor={`${id}${name}`} className="min-w-0 flex-1 text-small">
              {thresholdNames[name]}
            </label>
            <input
              id={`${id}${name}`}
              inputMode="numeric"
              value={texts[name] ?? String(kept[name])}
              aria-invalid={isWrong}
              aria-describedby={isWrong ? `${id}${name}-wrong` : undefined}
              onChange={({ target }) => setTexts({ ...texts, [name]: target.value.trim() })}
              onBlur={save}
              // A form of several fields is submitted by Enter only if it has a button for that.
              onKeyDown={({ key }) => key === 'Enter' && save()}
              className="h-8 w-20 rounded-control border border-line-strong bg-surface px-2 text-right text-small text-ink aria-invalid:border-bad touch:h-11 touch:text-touch"
            />
            {isWrong && (
              <p id={`${id}${name}-wrong`} role="alert" className="m-0 w-full text-micro text-bad">
                A whole number from {least} to {most}
              </p>
            )}
          </div>
        );
      })}
      <div>
        <Button
          size="dense"
          aria-disabled={areDefaults(kept)}
          onClick={() => {
            setTexts({});
            if (!areDefaults(kept)) void setThresholds(defaultThresholds);
          }}
        >
          Reset
        </Button>
      </div>
    </form>
  );
}

const numberIn = (text: string): number => (text === '' ? Number.NaN : Number(text));
