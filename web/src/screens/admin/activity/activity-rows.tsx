import { detailsText, namesOf } from '@kc/rules/activity';
import type { ActivityLine } from '@kc/rules/activity-shapes';
import { useMemo } from 'react';
import { Badge } from '../../../ui/badge.tsx';
import { dateText } from '../../../ui/quantity-text.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import { kindNames, resultWords } from './activity-text.ts';
import { ForgetEmail, keptEmail } from './forget-email.tsx';

const columnsWith = (onForgotten: OnForgotten): readonly Column<ActivityLine>[] => [
  { id: 'time', title: 'Time', className: 'w-46', cell: (line) => <Time line={line} /> },
  { id: 'who', title: 'Who', cell: (line) => <Name name={namesOf(line).actor} id={line.actorId} /> },
  { id: 'what', title: 'What', isRowHeader: true, className: 'w-52', cell: (line) => kindNames[line.kind] },
  { id: 'about', title: 'Target', cell: (line) => <Name name={namesOf(line).target} id={line.targetId} /> },
  { id: 'result', title: 'Result', cell: (line) => <Result line={line} onForgotten={onForgotten} /> },
];

type OnForgotten = () => void;
type Props = {
  readonly lines: readonly ActivityLine[];
  /** After the email of a deleted person was removed. */
  readonly onForgotten: OnForgotten;
};

/** Lines of the audit log as a table; as cards where a table has no room. */
export function ActivityRows({ lines, onForgotten }: Props) {
  const columns = useMemo(() => columnsWith(onForgotten), [onForgotten]);
  const hasRoom = useMedia('(width >= 64rem)');
  if (hasRoom) {
    return (
      <div className="rounded-card border border-line bg-surface shadow-1">
        <Table caption="Activity" columns={columns} rows={lines} rowKey={(line) => String(line.id)} />
      </div>
    );
  }
  return (
    <ul className="flex flex-col gap-3">
      {lines.map((line) => (
        <li key={line.id} className="flex flex-col gap-2 rounded-card border border-line bg-surface p-4 shadow-1">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span className="font-medium text-body">{kindNames[line.kind]}</span>
            <span className="text-micro text-muted">
              <Time line={line} />
            </span>
          </div>
          <p className="text-muted text-small wrap-anywhere">
            {namesOf(line).actor}
            {line.targetId !== line.actorId && ` → ${namesOf(line).target}`}
          </p>
          <Result line={line} onForgotten={onForgotten} />
        </li>
      ))}
    </ul>
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

function Result({ line, onForgotten }: { readonly line: ActivityLine; readonly onForgotten: OnForgotten }) {
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
      {email && <ForgetEmail line={line} email={email} onForgotten={onForgotten} />}
    </span>
  );
}
