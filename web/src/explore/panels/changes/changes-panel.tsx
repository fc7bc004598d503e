import {
  type ChangeLevel,
  type ChangeName,
  type ChangeThresholds,
  changeNames,
  defaultThresholds,
} from '@kc/pack/vocabulary/changes';
import { say } from '@kc/rules/all-messages';
import type { ChangedNode, ChangesPage } from '@kc/rules/change-shapes';
import { readThresholds, writeThresholds } from '@kc/rules/changes';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { ArrowLeftRight, X } from 'lucide-react';
import { useEffect, useId, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { SegmentedControl } from '../../../ui/radio-group.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { isIsolated, isolate } from '../../model/change-filter.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { PartFailure } from '../failure.tsx';
import { useFilter } from '../filter/use-filter.ts';
import { ToggleChips } from '../toggle-chips.tsx';
import { changeWords, figureChange, figureOfChange, pathText } from './change-words.ts';
import { directionText, keywordsIn, uploadMoment, useEarlier, useUploads } from './use-uploads.ts';

const levels = [
  { value: 'clusters', label: 'Clusters' },
  { value: 'keywords', label: 'Keywords' },
] as const satisfies readonly { readonly value: ChangeLevel; readonly label: string }[];

/** What changed since the upload that is compared with: counts by kind, and the list. */
export function ChangesPanel() {
  const explorer = useExplorer();
  const { store } = explorer;
  const { vs, filter, thresholds } = useLooks('vs', 'filter', 'thresholds');
  const { changeLevel: level, changeKind: kind } = useLooks('changeLevel', 'changeKind');
  const { branch, isKnown, failed } = useListedBranch();
  const earlier = useEarlier();
  const now = useUploads().data?.find(({ id }) => id === explorer.id);
  const found = useInfiniteQuery({
    queryKey: ['changes', explorer.id, vs, level, kind, filter, thresholds, branch?.address],
    queryFn: ({ pageParam: from, signal }) =>
      explorer.source.changes(
        { vs: vs!, level, kind, filter, ct: thresholds || undefined, from, within: branch?.path.at(-1) },
        { signal },
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, { nodes }) => sum + nodes.length, 0);
      return last.nodes.length > 0 && loaded < last.total ? loaded : undefined;
    },
    enabled: vs !== undefined && explorer.source.uploads !== undefined && isKnown,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const page = found.data?.pages[0];
  const failure = failed.isError ? failed : found.isError && !page ? found : undefined;
  return (
    <div className="flex flex-col gap-3 p-4">
      <div className="flex flex-wrap items-center gap-2">
        <h2 className="m-0 w-full text-h2">Since {uploadMoment(earlier)}</h2>
        {now && earlier && (
          <p className="m-0 w-full text-small text-muted wrap-anywhere">{directionText(earlier, now)}</p>
        )}
        <Button size="dense" icon={<ArrowLeftRight size={16} />} onClick={explorer.swapUploads}>
          Swap
        </Button>
        <Button size="dense" icon={<X size={16} />} onClick={explorer.stopComparingUploads}>
          Stop comparing
        </Button>
      </div>
      {failure && (
        <PartFailure onRetry={() => void failure.refetch()}>
          {`${say('explore/changes-failed')} ${explorer.explain(failure.error)}`}
        </PartFailure>
      )}
      {found.isPending && !failure && <Comparing />}
      {page?.isSame && <p className="m-0 text-small text-muted">{say('explore/changes-same')}</p>}
      {page && !page.isSame && (
        <>
          <SegmentedControl
            label="Level"
            value={level}
            options={levels}
            onChange={(next) => store.setState({ changeLevel: next, changeKind: undefined })}
          />
          {branch && <WithinChip name={branch.name} />}
          <ToggleChips
            legend="Kind of change"
            value={kind}
            onChange={(next) => store.setState({ changeKind: next })}
            // Kinds that do not occur are absent.
            chips={changeNames
              .filter((name) => page.counts[name] > 0 || name === kind)
              .map((name) => ({
                value: name,
                label: changeWords[name].label,
                sign: (
                  <span aria-hidden="true" className="w-3 text-center">
                    {changeWords[name].sign}
                  </span>
                ),
                count: page.counts[name],
              }))}
          />
          {kind && kind !== 'gone' && <KeepOnly kind={kind} />}
          <Thresholds />
          <p role="status" className="m-0 text-small text-muted">
            {found.isPlaceholderData ? 'Comparing…' : listText(page, level, kind)}
          </p>
          <ul className={classNames('m-0 -mx-2 list-none p-0', found.isPlaceholderData && 'opacity-50')}>
            {found.data?.pages.flatMap(({ nodes }) =>
              nodes.map((node) => (
                <ChangedLine key={`${node.address} ${node.node === undefined}`} changed={node} kind={kind} />
              )),
            )}
          </ul>
          {found.hasNextPage && (
            <Button size="dense" disabled={found.isFetchingNextPage} onClick={() => void found.fetchNextPage()}>
              {found.isFetchNextPageError ? 'Try again' : 'Show more'}
            </Button>
          )}
        </>
      )}
    </div>
  );
}

function listText({ total }: ChangesPage, level: ChangeLevel, kind: ChangeName | undefined): string {
  if (total === 0) return say(level === 'clusters' ? 'explore/changes-none-clusters' : 'explore/changes-none-keywords');
  const what = counted(total, level === 'clusters' ? 'cluster' : 'keyword');
  return kind ? `${what}, ${changeWords[kind].label.toLowerCase()}` : `${what} changed`;
}

/** "Comparing 2 × 27,640 keywords…" */
function Comparing() {
  const { id } = useExplorer();
  const uploads = useUploads();
  const earlier = useEarlier();
  const now = uploads.data?.find((one) => one.id === id);
  const [before, after] = [earlier && keywordsIn(earlier), now && keywordsIn(now)];
  const text =
    before === undefined || after === undefined
      ? 'Comparing…'
      : before === after
        ? `Comparing 2 × ${counted(after, 'keyword')}…`
        : `Comparing ${exact(before)} with ${counted(after, 'keyword')}…`;
  return (
    <p role="status" className="m-0 text-small text-muted">
      {text}
    </p>
  );
}

/** The branch that the list is about. Removing it lists all changes again. */
function WithinChip({ name }: { readonly name: string }) {
  const { store } = useExplorer();
  return (
    <button
      type="button"
      aria-label={`List changes everywhere, not only in ${name}`}
      onClick={() => store.setState({ changesIn: undefined })}
      className="flex min-h-7 max-w-full items-center gap-1 self-start rounded-full border border-line bg-info-soft pr-2 pl-3 text-small text-info hover:border-brand touch:min-h-11"
    >
      <span className="min-w-0 truncate">
        Only in <bdi>{name}</bdi>
      </span>
      <X size={14} strokeWidth={2} className="shrink-0" />
    </button>
  );
}

/** Filters the map by the kind of change that the list shows, or ends that. */
function KeepOnly({ kind }: { readonly kind: ChangeName }) {
  const { filter, change } = useFilter();
  const line = { kind: 'change', value: kind } as const;
  const isKept = isIsolated(filter, line) && filter.changes.length === 1;
  return (
    <Button
      size="dense"
      className="self-start"
      aria-pressed={isKept}
      onClick={() => change(isolate(filter, line, false))}
    >
      {isKept ? 'Show everything again' : `Keep only these keywords: ${changeWords[kind].label.toLowerCase()}`}
    </Button>
  );
}

type LineProps = { readonly changed: ChangedNode; readonly kind: ChangeName | undefined };

/** A changed node: what happened to it, where it is, and its figures before and after. Goes there, unless it is gone. */
function ChangedLine({ changed, kind }: LineProps) {
  const explorer = useExplorer();
  const { node } = changed;
  const content = <Content changed={changed} kind={kind} />;
  if (node === undefined) return <li className="px-2 py-1.5">{content}</li>;
  return (
    <li>
      <button
        type="button"
        onClick={() => void explorer.goToNode(node)}
        className="w-full rounded-chip px-2 py-1.5 text-left hover:bg-sunken touch:min-h-11"
      >
        {content}
      </button>
    </li>
  );
}

function Content({ changed, kind }: LineProps) {
  const { name, path, from, changes, node } = changed;
  return (
    <span className="flex flex-col gap-0.5 text-small">
      <span dir="auto" className={node === undefined ? 'text-muted line-through' : 'text-brand-ink'}>
        {name}
      </span>
      <span className="flex flex-wrap gap-x-2 text-micro text-muted">
        {changes.map((one) => (
          <span key={one} className="whitespace-nowrap">
            <span aria-hidden="true">{changeWords[one].sign} </span>
            {changeWords[one].label}
          </span>
        ))}
        {path.length > 0 && (
          <span className="min-w-0 break-words">
            in <bdi>{pathText(path)}</bdi>
          </span>
        )}
      </span>
      {from && (
        <span className="text-micro text-muted">
          from <bdi>{pathText(from)}</bdi>
        </span>
      )}
      <span className="text-micro text-ink tabular-nums">{figureChange(changed, figureOfChange(kind))}</span>
    </span>
  );
}

const fields = [
  { of: 'volumePercent', label: 'Volume, in %' },
  { of: 'volume', label: 'Volume, at least' },
  { of: 'difficulty', label: 'Difficulty, in points' },
  { of: 'position', label: 'Position, in places' },
] as const satisfies readonly { readonly of: keyof ChangeThresholds; readonly label: string }[];

/** From where on a difference is a change. What differs from the usual thresholds is in the link. */
function Thresholds() {
  const { store } = useExplorer();
  const text = useLook((state) => state.thresholds);
  const now = readThresholds(text) ?? defaultThresholds;
  const set = (next: ChangeThresholds) => {
    const written = writeThresholds(next);
    store.setState({ thresholds: written === writeThresholds(defaultThresholds) ? '' : written });
  };
  // It stays open after Reset. Thresholds that a link or Back brings are in sight.
  const [isOpen, setOpen] = useState(text !== '');
  const [known, setKnown] = useState(text);
  if (known !== text) {
    setKnown(text);
    if (text !== '') setOpen(true);
  }
  return (
    <details
      className="rounded-control border border-line px-3 py-1 text-small"
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="cursor-pointer py-1 text-muted">Thresholds</summary>
      <p className="mt-1 mb-2 text-micro text-muted">
        A figure has changed if it is known in both uploads and differs by as much. Volume must reach both.
      </p>
      <div className="grid grid-cols-2 gap-2 pb-2">
        {fields.map(({ of, label }) => (
          <Threshold key={of} label={label} value={now[of]} onChange={(value) => set({ ...now, [of]: value })} />
        ))}
      </div>
      {text !== '' && (
        <Button size="dense" onClick={() => set(defaultThresholds)}>
          Reset
        </Button>
      )}
    </details>
  );
}

type ThresholdProps = {
  readonly label: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
};

/** Applies when the field is left or Enter is pressed. What is no number from 0 on is put back. */
function Threshold({ label, value, onChange }: ThresholdProps) {
  const id = useId();
  const [typed, setTyped] = useState(String(value));
  const [known, setKnown] = useState(value);
  // Reset, or another link: the field stays, and so does the focus.
  if (known !== value) {
    setKnown(value);
    setTyped(String(value));
  }
  const apply = () => {
    const entered = typed.trim() === '' ? Number.NaN : Number(typed);
    const rounded = Math.round(entered * 1000) / 1000;
    if (!(rounded >= 0 && rounded < 1e6)) setTyped(String(value));
    else if (rounded !== value) onChange(rounded);
  };
  return (
    <div className="flex flex-col gap-0.5">
      <label htmlFor={id} className="text-micro text-muted">
        {label}
      </label>
      <input
        id={id}
        inputMode="decimal"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={apply}
        onKeyDown={(event) => event.key === 'Enter' && apply()}
        className="h-8 w-full rounded-control border border-line-strong bg-surface px-2 text-small text-ink touch:h-11 touch:text-touch"
      />
    </div>
  );
}

/**
 * The branch whose changes are listed; none if it is everything, or until it is found. If the address names a branch that
 * this upload does not have, everything is listed, and a notice says so.
 */
function useListedBranch() {
  const { id, findExcluded, store } = useExplorer();
  const address = useLook((state) => state.changesIn);
  const found = useQuery({
    queryKey: ['branch', id, address],
    queryFn: async () => (await findExcluded(address!)) ?? null,
    enabled: address !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isMissing = found.data === null;
  useEffect(() => {
    if (isMissing) store.setState({ changesIn: undefined, notice: say('explore/place-missing') });
  }, [isMissing, store]);
  return { branch: found.data ?? undefined, isKnown: address === undefined || found.isSuccess, failed: found };
}
