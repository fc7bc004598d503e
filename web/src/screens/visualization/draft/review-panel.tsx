import { sayError } from '@kc/rules/all-messages';
import type { ReviewPage, ReviewRow, ReviewTab } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Check, FolderInput, History, Unlink, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { client } from '../../../api/client.ts';
import { exact } from '../../../explore/format/figure-text.ts';
import { useExplorer, useLook } from '../../../explore/panels/explorer-context.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { useCanEdit, useDraft, useDraftEditor, useEditing, useMarks } from './draft-context.ts';
import { marksOf } from './edits.ts';
import { reviewTabs, rowText, tabNames, tabTexts } from './review-words.ts';
import { TickedActions } from './selection-bar.tsx';
import { type Tick, tickedAll, toggled } from './ticks.ts';

type Props = { readonly onClose: () => void };

/** The review lists beside the outline. */
export function ReviewPanel({ onClose }: Props) {
  const isOutlineOpen = useLook((state) => state.outlineOpen);
  return (
    <aside
      aria-label="Review"
      data-keeps-focus
      className="flex min-h-0 w-104 shrink-0 min-[1440px]:w-116 flex-col border-r border-line bg-surface"
    >
      <div className="flex items-center justify-between gap-2 px-3 py-1.5">
        <h2 className="m-0 text-small font-semibold">Review</h2>
        <IconButton size="dense" label="Close the review" onClick={onClose}>
          <X size={18} />
        </IconButton>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-3 pb-3">
        <ReviewLists />
      </div>
      {/* Otherwise the outline has them. */}
      {!isOutlineOpen && <TickedActions />}
    </aside>
  );
}

/** The review lists on a small screen. */
export function ReviewSheet({ onClose }: Props) {
  return (
    <Dialog open onOpenChange={onClose} title="Review" place="bottom">
      <ReviewLists onLeave={onClose} />
    </Dialog>
  );
}

/** @param onLeave closes what covers the chart, before something else is opened or shown */
function ReviewLists({ onLeave }: { readonly onLeave?: () => void }) {
  const { review } = useMarks();
  const [tab, setTab] = useState<ReviewTab>(() => reviewTabs.find((one) => (review?.[one] ?? 0) > 0) ?? 'uncertain');
  const items = reviewTabs.map((value) => ({
    value,
    label: tabNames[value],
    badge: <Badge>{exact(review?.[value] ?? 0)}</Badge>,
  }));
  return (
    <Tabs
      label="What the update did"
      value={tab}
      items={items}
      onChange={setTab}
      className="md:[&_[role=tab]]:gap-1 md:[&_[role=tab]]:px-2"
    >
      <ReviewList key={tab} tab={tab} onLeave={onLeave} />
    </Tabs>
  );
}

function ReviewList({ tab, onLeave }: { readonly tab: ReviewTab; readonly onLeave: (() => void) | undefined }) {
  const editor = useDraftEditor();
  const canEdit = useCanEdit();
  const { data, error, isPlaceholderData, hasNextPage, isFetching, fetchNextPage, refetch } = useReview(tab);
  const list = useRef<HTMLUListElement>(null);
  const acted = useRef<number>(undefined);
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  const total = data?.pages[0]?.total ?? 0;
  useEffect(() => {
    if (isPlaceholderData || acted.current === undefined) return;
    focusRow(list.current, acted.current);
    acted.current = undefined;
  }, [isPlaceholderData]);
  if (error)
    return (
      <Banner tone="error" actions={<Button onClick={() => void refetch()}>Try again</Button>}>
        {sayError(error)}
      </Banner>
    );
  if (!data) return <Skeleton className="h-40" />;
  const acceptAll = () => editor.operate({ kind: 'accept', tab, of: 'all' });
  return (
    <>
      <p className="mt-0 mb-2 text-small text-muted">
        {total === 0 ? `${tabTexts[tab]} None are left.` : tabTexts[tab]}
      </p>
      {total > 0 && (
        <div className="mb-2 flex flex-wrap gap-1.5">
          {tab === 'gone' && (
            <Button size="dense" disabled={!canEdit} onClick={() => editor.operate({ kind: 'keep', keywords: 'all' })}>
              Keep all with last month’s figures
            </Button>
          )}
          <Button size="dense" disabled={!canEdit} onClick={acceptAll}>
            {tab === 'gone' ? 'Let all go' : 'Accept all'}
          </Button>
          {tab !== 'gone' && (
            <Button
              size="dense"
              variant="ghost"
              onClick={() => editor.setTicks((ticks) => tickedAll(ticks, rows.flatMap(tickOfRow)))}
            >
              {`Select these ${exact(rows.length)}`}
            </Button>
          )}
        </div>
      )}
      <ul ref={list} tabIndex={-1} aria-label={tabNames[tab]} className="m-0 list-none divide-y divide-line p-0">
        {rows.map((row, at) => (
          <Row
            key={row.address ?? row.name}
            tab={tab}
            row={row}
            onLeave={onLeave}
            isStale={isPlaceholderData}
            onActed={() => {
              acted.current = at;
            }}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button size="dense" disabled={isFetching} onClick={() => void fetchNextPage()}>
          {`Show more (${exact(total - rows.length)})`}
        </Button>
      )}
    </>
  );
}

/** The row that replaces a finished one gets the focus, so that the user can continue by keyboard. */
function focusRow(list: HTMLElement | null, at: number): void {
  if (!list || (document.activeElement !== document.body && document.activeElement !== null)) return;
  const row = list.children[Math.min(at, list.children.length - 1)];
  (row?.querySelector<HTMLElement>('[data-accept]') ?? list).focus();
}

/** A row as it can be ticked. What is gone cannot. */
const tickOfRow = ({ address, type, name, keywords = 1 }: ReviewRow): Tick[] =>
  address === undefined ? [] : [{ address, type, name, keywords }];

type RowProps = {
  readonly tab: ReviewTab;
  readonly row: ReviewRow;
  readonly onLeave: (() => void) | undefined;
  /** Whether it may be gone from the list by now. */
  readonly isStale: boolean;
  readonly onActed: () => void;
};

function Row({ tab, row, onLeave, isStale, onActed }: RowProps) {
  const editor = useDraftEditor();
  const explorer = useExplorer();
  const canEdit = useCanEdit();
  const { name, address } = row;
  const key = address ?? name;
  const mark = useEditing(({ edits }) => marksOf(edits).get(key));
  const isTicked = useEditing(({ ticks }) => ticks.picks.rows.has(key));
  const [tick] = tickOfRow(row);
  const act = (operate: () => void) => () => {
    // A disabled button would lose the focus.
    if (isStale || mark !== undefined) return;
    onActed();
    operate();
  };
  async function show(): Promise<void> {
    onLeave?.();
    try {
      const { path } = await explorer.source.locate(address!, '');
      const node = path.at(-1);
      if (node !== undefined) await explorer.goToNode(node);
    } catch (failure) {
      explorer.store.setState({ notice: explorer.explain(failure) });
    }
  }
  return (
    <li className="flex items-start gap-1.5 py-1">
      {tick && (
        <Checkbox
          label={`Select ${name}`}
          showLabel={false}
          checked={isTicked}
          onChange={() => editor.setTicks((ticks) => toggled(ticks, tick))}
        />
      )}
      <div className="min-w-0 flex-1 py-1">
        {address === undefined ? (
          <bdi className="wrap-anywhere">{name}</bdi>
        ) : (
          <button type="button" className="text-left underline-offset-2 hover:underline" onClick={() => void show()}>
            <bdi className="wrap-anywhere">{name}</bdi>
          </button>
        )}
        <p className="m-0 text-micro text-muted wrap-anywhere">
          {mark && <span className="text-warn italic">{mark === 'pending' ? 'pending ' : 'not saved '}</span>}
          {rowText(row)}
        </p>
      </div>
      <div className="flex shrink-0">
        {tab === 'gone' ? (
          <IconButton
            size="dense"
            label={`Keep ${name} with last month’s figures`}
            disabled={!canEdit}
            onClick={act(() => editor.operate({ kind: 'keep', keywords: [name] }))}
          >
            <History size={16} />
          </IconButton>
        ) : (
          tick && (
            <>
              <IconButton
                size="dense"
                label={`Move ${name}`}
                disabled={!canEdit}
                onClick={() => {
                  onLeave?.();
                  editor.open({ kind: 'move', nodes: [tick] });
                }}
              >
                <FolderInput size={16} />
              </IconButton>
              <IconButton
                size="dense"
                label={`Send ${name} to the strays`}
                disabled={!canEdit}
                onClick={act(() => editor.operate({ kind: 'strays', nodes: [tick.address] }))}
              >
                <Unlink size={16} />
              </IconButton>
            </>
          )
        )}
        <IconButton
          data-accept=""
          size="dense"
          label={tab === 'gone' ? `Let ${name} go` : `Accept ${name}`}
          disabled={!canEdit}
          onClick={act(() => editor.operate({ kind: 'accept', tab, of: [key] }))}
        >
          <Check size={16} />
        </IconButton>
      </div>
    </li>
  );
}

/** A review list of the draft as it is now, page by page. The list before stays until the next one arrives. */
function useReview(tab: ReviewTab) {
  const { id, revision } = useDraft();
  return useInfiniteQuery({
    // Revisions are immutable, so each has lists of its own.
    queryKey: ['draft review', id, tab, revision?.viewId],
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) => client.drafts.review({ id, tab, after: pageParam }, { signal }),
    getNextPageParam: ({ total }: ReviewPage, pages) =>
      pages.length * limits.reviewPageRows < total ? pages.length * limits.reviewPageRows : undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });
}
