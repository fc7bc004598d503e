import { type ActivityKind, activityKinds } from '@kc/rules/activity';
import type { ActivityFilter } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { say } from '@kc/rules/messages';
import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, RefreshCw } from 'lucide-react';
import { useCallback, useState } from 'react';
import { client } from '../../../api/client.ts';
import { Banner, BannerButton } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { Select } from '../../../ui/select.tsx';
import { useRested } from '../../../ui/use-rested.ts';
import { TabHeader } from '../admin-tabs.tsx';
import { ActivityRows } from './activity-rows.tsx';
import { exportAddress, kindNames } from './activity-text.ts';

type KindChoice = ActivityKind | 'all';

const kindOptions: readonly { readonly value: KindChoice; readonly label: string }[] = [
  { value: 'all', label: 'All activity' },
  ...activityKinds.map((kind) => ({ value: kind, label: kindNames[kind] })),
];

/** Debounces the typed text before it becomes part of the query. */
const restMs = 300;

export function ActivityTab() {
  const [kind, setKind] = useState<KindChoice>('all');
  const [typed, setTyped] = useState('');
  const [forgotten, setForgotten] = useState(false);
  const tellForgotten = useCallback(() => setForgotten(true), []);
  const text = useRested(typed.trim(), restMs);
  const filter: ActivityFilter = { ...(kind === 'all' ? {} : { kind }), ...(text ? { text } : {}) };
  const activity = useInfiniteQuery(activityQuery(filter));
  const lines = activity.data?.pages.flatMap((page) => page.lines) ?? [];
  return (
    <>
      <TabHeader
        tab="activity"
        action={
          <a className={buttonClass('secondary')} href={exportAddress(filter)} download>
            <Download size={18} strokeWidth={1.75} aria-hidden />
            Download CSV
          </a>
        }
      />
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <input
          type="search"
          aria-label="Search activity"
          placeholder="Search by email or detail"
          maxLength={limits.maxFilterLength}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
          className="h-10 min-w-0 flex-1 basis-56 rounded-control border border-line-strong bg-surface px-3 text-body placeholder:text-muted sm:max-w-80 touch:h-11 touch:text-touch"
        />
        <Select
          label="Kind of activity"
          showLabel={false}
          className="w-60"
          value={kind}
          options={kindOptions}
          onChange={setKind}
        />
        <Button icon={<RefreshCw size={18} strokeWidth={1.75} aria-hidden />} onClick={() => void activity.refetch()}>
          Refresh
        </Button>
      </div>
      {activity.isError && (
        <div className="mb-3">
          <Banner tone="error" actions={<BannerButton onClick={() => void activity.refetch()}>Try again</BannerButton>}>
            {say('activity/failed')}
          </Banner>
        </div>
      )}
      {forgotten && (
        <div className="mb-3">
          <Banner tone="success" onDismiss={() => setForgotten(false)}>
            {say('activity/forgotten')}
          </Banner>
        </div>
      )}
      {activity.isPending && <Skeleton className="h-90 w-full rounded-card" />}
      {activity.isSuccess && lines.length === 0 && (
        <p className="rounded-card border border-line border-dashed bg-surface px-4 py-14 text-center text-body text-muted">
          No activity matches this filter.
        </p>
      )}
      {lines.length > 0 && <ActivityRows lines={lines} onForgotten={tellForgotten} />}
      {activity.hasNextPage && (
        <div className="mt-4 flex justify-center">
          <Button disabled={activity.isFetchingNextPage} onClick={() => void activity.fetchNextPage()}>
            Show older
          </Button>
        </div>
      )}
    </>
  );
}

/** The filtered activity, newest first, a page at a time. */
const activityQuery = (filter: ActivityFilter) =>
  infiniteQueryOptions({
    queryKey: ['activity', filter],
    queryFn: ({ pageParam, signal }) =>
      client.activity.list({ ...filter, ...(pageParam === undefined ? {} : { before: pageParam }) }, { signal }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
