import {
  type ActivityGroup,
  type ActivityKind,
  activityKinds,
  detailsText,
  groupedActivity,
  namesOf,
} from '@kc/rules/activity';
import type { ActivityFilter, ActivityLine } from '@kc/rules/admin-shapes';
import { limits } from '@kc/rules/limits';
import { say, sayError } from '@kc/rules/messages';
import {
  infiniteQueryOptions,
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQueryClient,
} from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Download, RefreshCw } from 'lucide-react';
import { useCallback, useMemo, useState } from 'react';
import { client } from '../../../api/client.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner, RetryBanner } from '../../../ui/banner.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { Skeleton } from '../../../ui/progress.tsx';
import { Select } from '../../../ui/select.tsx';
import { useRested } from '../../../ui/timers.ts';
import { TabHeader } from '../admin-tabs.tsx';
import { Moment } from '../users/user-fields.tsx';
import { exportAddress, kindNames, resultWords } from './activity-text.ts';

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
  const markForgotten = useCallback(() => setForgotten(true), []);
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
            <Download size={18} />
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
        <Button icon={<RefreshCw size={18} />} onClick={() => void activity.refetch()}>
          Refresh
        </Button>
      </div>
      {activity.isError && (
        <div className="mb-3">
          <RetryBanner of={activity}>{say('activity/failed')}</RetryBanner>
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
      {lines.length > 0 && <ActivityRows lines={lines} onForgotten={markForgotten} />}
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

/** A line, or an act on several accounts with the newest of its lines. The lines of an open act follow it. */
type Entry = { readonly line: ActivityLine; readonly act?: Act | undefined };
type Act = { readonly count: number; readonly isOpen: boolean; readonly toggle: () => void };

const heads = [['Time', 'w-46'], ['Who'], ['What', 'w-52'], ['Target'], ['Result']] as const;
const headClass =
  'sticky top-(--header) z-10 h-10 border-line border-b bg-sunken px-3 font-medium text-muted first:rounded-tl-card first:pl-4 last:rounded-tr-card last:pr-4';
const cellClass = 'h-14 border-line border-b px-3 font-normal first:pl-4 last:pr-4 group-last:border-b-0';

type OnForgotten = () => void;
type Props = {
  readonly lines: readonly ActivityLine[];
  /** After the email of a deleted person was removed. */
  readonly onForgotten: OnForgotten;
};

/** Lines of the audit log as a table; as cards where a table has no room. An act on many accounts is one entry. */
function ActivityRows({ lines, onForgotten }: Props) {
  const entries = useEntries(lines);
  const hasRoom = useMedia('(width >= 64rem)');
  if (hasRoom) {
    return (
      <div className="rounded-card border border-line bg-surface shadow-1">
        <table className="w-full table-fixed border-separate border-spacing-0 text-left text-small">
          <caption className="sr-only">Activity</caption>
          <thead>
            <tr>
              {heads.map(([title, width]) => (
                <th key={title} scope="col" className={classNames(headClass, width)}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map(({ line, act }) => (
              <tr key={keyOf({ line, act })} className="group hover:bg-sunken">
                <td className={cellClass}>
                  <Moment at={line.at} />
                </td>
                <td className={cellClass}>
                  <Name name={namesOf(line).actor} id={line.actorId} />
                </td>
                <th scope="row" className={cellClass}>
                  {kindNames[line.kind]}
                </th>
                <td className={cellClass}>
                  {act ? <Targets act={act} /> : <Name name={namesOf(line).target} id={line.targetId} />}
                </td>
                <td className={cellClass}>
                  <Result line={line} onForgotten={act ? undefined : onForgotten} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    );
  }
  return (
    <ul className="flex flex-col gap-3">
      {entries.map(({ line, act }) => (
        <li
          key={keyOf({ line, act })}
          className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 shadow-1"
        >
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium text-body">{kindNames[line.kind]}</span>
            <span className="text-micro text-muted">
              <Moment at={line.at} />
            </span>
          </div>
          <p className="text-muted text-small wrap-anywhere">
            {namesOf(line).actor}
            {!act && line.targetId !== line.actorId && ` → ${namesOf(line).target}`}
          </p>
          {act && <Targets act={act} />}
          <Result line={line} onForgotten={act ? undefined : onForgotten} />
        </li>
      ))}
    </ul>
  );
}

const keyOf = ({ line, act }: Entry): string => `${act ? 'act ' : ''}${line.id}`;

function useEntries(lines: readonly ActivityLine[]): readonly Entry[] {
  /** Open acts, by the oldest of their lines: newer ones may still arrive. */
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  const groups = useMemo(() => groupedActivity(lines), [lines]);
  return groups.flatMap(({ lines: all }: ActivityGroup<ActivityLine>): Entry[] => {
    const [line] = all;
    if (all.length === 1) return [{ line }];
    const { id } = all.at(-1)!;
    const isOpen = open.has(id);
    const toggle = () => setOpen(isOpen ? new Set([...open].filter((other) => other !== id)) : new Set([...open, id]));
    const act = { count: all.length, isOpen, toggle };
    return [{ line, act }, ...(isOpen ? all.map((one) => ({ line: one })) : [])];
  });
}

/** How many accounts an act was about; opens its lines. */
function Targets({ act: { count, isOpen, toggle } }: { readonly act: Act }) {
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={toggle}
      className="-ml-1 inline-flex min-h-8 items-center gap-1 rounded-control px-1 font-medium text-brand-ink hover:underline touch:min-h-11"
    >
      <Icon size={16} />
      {count} accounts
    </button>
  );
}

/** The title has the id: two people may have had the same email, one after the other. */
function Name({ name, id }: { readonly name: string; readonly id: string }) {
  return (
    <span className="block truncate" title={name === id ? name : `${name}, ${id}`}>
      {name}
    </span>
  );
}

/** @param onForgotten absent for an act on several accounts */
function Result({ line, onForgotten }: { readonly line: ActivityLine; readonly onForgotten: OnForgotten | undefined }) {
  const email = keptEmail(line);
  const { label, tone } = resultWords[line.result];
  const details = detailsText(line.details);
  return (
    // The details keep enough room to be legible: a button that does not fit moves to the next line.
    <span className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1 py-1 text-small">
      <Badge tone={tone}>{label}</Badge>
      <span className="min-w-0 flex-1 basis-32 truncate text-muted" title={details}>
        {details}
      </span>
      {email && onForgotten && <ForgetEmail line={line} email={email} onForgotten={onForgotten} />}
    </span>
  );
}

/** The email of a deleted user that the activity still contains; undefined for any other entry. */
function keptEmail({ kind, details }: ActivityLine): string | undefined {
  const isDeletion = kind === 'delete' || kind === 'delete-records';
  return isDeletion && typeof details.email === 'string' ? details.email : undefined;
}

type ForgetEmailProps = {
  /** The deletion; its target is the deleted user. */
  readonly line: ActivityLine;
  /** See {@link keptEmail}. */
  readonly email: string;
  readonly onForgotten: () => void;
};

/** A button that removes the email of a deleted user from the activity, after a confirmation. */
function ForgetEmail({ line, email, onForgotten }: ForgetEmailProps) {
  const [open, setOpen] = useState(false);
  const queries = useQueryClient();
  const forgetting = useMutation({
    mutationFn: () => client.activity.forget({ id: line.targetId }),
    onSuccess: async () => {
      setOpen(false);
      onForgotten();
      await queries.invalidateQueries({ queryKey: ['activity'] });
    },
  });
  const close = () => {
    setOpen(false);
    forgetting.reset();
  };
  return (
    <>
      <Button size="dense" aria-label={`Remove the email ${email}`} onClick={() => setOpen(true)}>
        Remove email
      </Button>
      <ConfirmDialog
        open={open}
        onClose={close}
        title="Remove this email from the activity?"
        description={
          <p>
            {email} was deleted. Past actions stay in the activity under an anonymous id. Existing backups keep the
            email. This cannot be undone.
          </p>
        }
        act="Remove email"
        onAct={() => forgetting.mutate()}
        busy={forgetting.isPending}
      >
        {forgetting.isError && <Banner tone="error">{sayError(forgetting.error)}</Banner>}
      </ConfirmDialog>
    </>
  );
}
