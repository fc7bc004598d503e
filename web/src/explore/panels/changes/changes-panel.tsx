import type { ChangesPage } from '@kc/rules/change-shapes';
import { type ChangeLevel, type ChangeName, changeNames } from '@kc/rules/changes';
import { say } from '@kc/rules/explorer-messages';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ArrowLeftRight, X } from 'lucide-react';
import { Button } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { SegmentedControl } from '../../../ui/segmented-control.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { isIsolated, isolate } from '../../model/change-filter.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { useFilter } from '../filter/use-filter.ts';
import { ToggleChips } from '../toggle-chips.tsx';
import { changeWords } from './change-words.ts';
import { ChangedLine } from './changed-line.tsx';
import { Thresholds } from './thresholds.tsx';
import { useListedBranch } from './use-listed-branch.ts';
import { directionText, uploadMoment, useEarlier, useUploads } from './use-uploads.ts';

const levels = [
  { value: 'clusters', label: 'Clusters' },
  { value: 'keywords', label: 'Keywords' },
] as const satisfies readonly { readonly value: ChangeLevel; readonly label: string }[];

/** What changed since the upload that is compared with: counts by kind, and the list. */
export function ChangesPanel() {
  const explorer = useExplorer();
  const vs = useLook((state) => state.vs);
  const filter = useLook((state) => state.filter);
  const thresholds = useLook((state) => state.thresholds);
  const { store } = explorer;
  const level = useLook((state) => state.changeLevel);
  const kind = useLook((state) => state.changeKind);
  const { branch, isKnown, failed } = useListedBranch();
  const earlier = useEarlier();
  const now = useUploads().data?.find(({ id }) => id === explorer.id);
  const found = useInfiniteQuery({
    queryKey: ['changes', explorer.id, vs, level, kind, filter, thresholds, branch?.node],
    queryFn: ({ pageParam: from, signal }) =>
      explorer.source.comparison!.changes(
        { vs: vs!, level, kind, filter, thresholds, from, within: branch?.node },
        signal,
      ),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.reduce((sum, { nodes }) => sum + nodes.length, 0);
      return last.nodes.length > 0 && loaded < last.total ? loaded : undefined;
    },
    enabled: vs !== undefined && explorer.source.comparison !== undefined && isKnown,
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
        <Button
          size="dense"
          icon={<ArrowLeftRight size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={explorer.swapUploads}
        >
          Swap
        </Button>
        <Button
          size="dense"
          icon={<X size={16} strokeWidth={1.75} aria-hidden="true" />}
          onClick={explorer.stopComparingUploads}
        >
          Stop comparing
        </Button>
      </div>
      {failure && (
        <div role="alert" className="rounded-control bg-bad-soft p-3 text-small text-bad">
          <p className="m-0 mb-2">
            {say('explore/changes-failed')} {explorer.explain(failure.error)}
          </p>
          <Button size="dense" onClick={() => void failure.refetch()}>
            Try again
          </Button>
        </div>
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
  const text =
    now && earlier
      ? now.keywords === earlier.keywords
        ? `Comparing 2 × ${counted(now.keywords, 'keyword')}…`
        : `Comparing ${exact(earlier.keywords)} with ${counted(now.keywords, 'keyword')}…`
      : 'Comparing…';
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
      <X size={14} aria-hidden="true" className="shrink-0" />
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
