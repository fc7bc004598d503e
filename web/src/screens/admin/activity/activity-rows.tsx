import { type ActivityGroup, detailsText, groupedActivity, namesOf } from '@kc/rules/activity';
import type { ActivityLine } from '@kc/rules/admin-shapes';
import { sayRefusal } from '@kc/rules/messages';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { client } from '../../../api/client.ts';
import { toRefusal } from '../../../api/refusal.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Banner } from '../../../ui/banner.tsx';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useMedia } from '../../../ui/environment.ts';
import { dateText } from '../../../ui/number-text.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { kindNames, resultWords } from './activity-text.ts';

/** A line, or an act on several accounts with the newest of its lines. The lines of an open act follow it. */
type Entry = { readonly line: ActivityLine; readonly act?: Act };
type Act = { readonly count: number; readonly isOpen: boolean; readonly toggle: () => void };

const columnsWith = (onForgotten: OnForgotten): readonly Column<Entry>[] => [
  { id: 'time', title: 'Time', className: 'w-46', cell: ({ line }) => <Time line={line} /> },
  { id: 'who', title: 'Who', cell: ({ line }) => <Name name={namesOf(line).actor} id={line.actorId} /> },
  { id: 'what', title: 'What', isRowHeader: true, className: 'w-52', cell: ({ line }) => kindNames[line.kind] },
  {
    id: 'about',
    title: 'Target',
    cell: ({ line, act }) => (act ? <Targets act={act} /> : <Name name={namesOf(line).target} id={line.targetId} />),
  },
  {
    id: 'result',
    title: 'Result',
    cell: ({ line, act }) => <Result line={line} onForgotten={act ? undefined : onForgotten} />,
  },
];

type OnForgotten = () => void;
type Props = {
  readonly lines: readonly ActivityLine[];
  /** After the email of a deleted person was removed. */
  readonly onForgotten: OnForgotten;
};

/** Lines of the audit log as a table; as cards where a table has no room. An act on many accounts is one entry. */
export function ActivityRows({ lines, onForgotten }: Props) {
  const columns = useMemo(() => columnsWith(onForgotten), [onForgotten]);
  const entries = useEntries(lines);
  const hasRoom = useMedia('(width >= 64rem)');
  if (hasRoom) {
    return (
      <div className="rounded-card border border-line bg-surface shadow-1">
        <Table caption="Activity" columns={columns} rows={entries} rowKey={keyOf} />
      </div>
    );
  }
  return (
    <ul className="flex flex-col gap-3">
      {entries.map(({ line, act }) => (
        <li
          key={keyOf({ line, ...(act && { act }) })}
          className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 shadow-1"
        >
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium text-body">{kindNames[line.kind]}</span>
            <span className="text-micro text-muted">
              <Time line={line} />
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
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {count} accounts
    </button>
  );
}

function Time({ line }: { readonly line: ActivityLine }) {
  const exact = new Date(line.at).toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {dateText(line.at)}
    </time>
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
    // The details keep room to be read: a button that would take it goes to the next line.
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
        {forgetting.isError && <Banner tone="error">{sayRefusal(toRefusal(forgetting.error))}</Banner>}
      </ConfirmDialog>
    </>
  );
}
