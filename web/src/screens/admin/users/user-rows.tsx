import { shownName } from '@kc/rules/account';
import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { Check, Upload, X } from 'lucide-react';
import { useId } from 'react';
import { Avatar } from '../../../ui/avatar.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { dateText } from '../../../ui/quantity.ts';
import { type Column, Table } from '../../../ui/table.tsx';
import { useMedia } from '../../../ui/use-media.ts';
import type { Change } from './use-user-changes.ts';
import { deleteReason, RoleChoice, StatusChoice } from './user-choices.tsx';

type Props = {
  readonly accounts: readonly ListedAccount[];
  /** Whether each row has its own Approve and Deny. */
  readonly deciding: boolean;
  readonly onChange: (change: Change) => void;
  readonly onDelete: (account: ListedAccount) => void;
};

/** The accounts as a table; as cards where a table has no room. */
export function UserRows(props: Props) {
  const hasRoom = useMedia('(width >= 64rem)');
  if (hasRoom) {
    return (
      <div className="rounded-card border border-line bg-surface shadow-1">
        <UserTable {...props} />
      </div>
    );
  }
  return (
    <ul className="flex flex-col gap-3">
      {props.accounts.map((account) => (
        <UserCard
          key={account.id}
          account={account}
          deciding={props.deciding}
          onChange={props.onChange}
          onDelete={props.onDelete}
        />
      ))}
    </ul>
  );
}

function UserTable({ accounts, deciding, onChange, onDelete }: Props) {
  const columns: readonly Column<ListedAccount>[] = [
    { id: 'email', title: 'Email', isRowHeader: true, cell: (account) => <Who account={account} /> },
    {
      id: 'status',
      title: 'Status',
      className: 'w-38',
      cell: (account) => <StatusChoice account={account} onChange={onChange} />,
    },
    {
      id: 'role',
      title: 'Role',
      className: 'w-44',
      cell: (account) => <RoleChoice account={account} onChange={onChange} />,
    },
    { id: 'created', title: 'Created', className: 'w-46', cell: (account) => <Created account={account} /> },
    {
      id: 'actions',
      title: 'Actions',
      className: deciding ? 'w-84' : 'w-60',
      cell: (account) => <Actions account={account} deciding={deciding} onChange={onChange} onDelete={onDelete} />,
    },
  ];
  return (
    <Table
      caption="User accounts"
      columns={columns}
      rows={accounts}
      rowKey={(account) => account.id}
      rowClass={(account) => (account.isYou ? '[&>th]:shadow-[inset_3px_0_var(--brand)]' : undefined)}
    />
  );
}

type RowProps = {
  readonly account: ListedAccount;
  readonly deciding: boolean;
  readonly onChange: (change: Change) => void;
  readonly onDelete: (account: ListedAccount) => void;
};

function UserCard({ account, deciding, onChange, onDelete }: RowProps) {
  return (
    <li className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 shadow-1">
      <Who account={account} />
      <div className="grid grid-cols-2 gap-3">
        <StatusChoice account={account} onChange={onChange} />
        <RoleChoice account={account} onChange={onChange} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span className="text-micro text-muted">
          <span className="sr-only">Created </span>
          <Created account={account} />
        </span>
        <Actions account={account} deciding={deciding} onChange={onChange} onDelete={onDelete} />
      </div>
    </li>
  );
}

function Who({ account }: { readonly account: ListedAccount }) {
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Avatar name={shownName(account)} size="small" presence={account.presence} />
      <span className="min-w-0">
        <span className="flex items-center gap-2">
          <span className="truncate font-medium text-ink" title={account.email}>
            {account.email}
          </span>
          {account.isYou && <Badge tone="brand">You</Badge>}
          {account.isSample && <Badge>Sample data</Badge>}
        </span>
        {account.displayName && <span className="block truncate text-micro text-muted">{account.displayName}</span>}
      </span>
    </span>
  );
}

function Created({ account }: { readonly account: ListedAccount }) {
  return (
    <time dateTime={new Date(account.createdAt).toISOString()} title={new Date(account.createdAt).toISOString()}>
      {dateText(account.createdAt)}
    </time>
  );
}

function Actions({ account, deciding, onChange, onDelete }: RowProps) {
  const decide = (to: 'approved' | 'denied') => () => onChange({ account, what: 'status', to });
  return (
    <span className="flex items-center gap-2">
      {deciding && (
        <>
          <Button
            variant="approve"
            size="dense"
            aria-label={`Approve ${account.email}`}
            icon={<Check size={16} strokeWidth={2} aria-hidden />}
            onClick={decide('approved')}
          >
            Approve
          </Button>
          <Button
            variant="danger"
            size="dense"
            aria-label={`Deny ${account.email}`}
            icon={<X size={16} strokeWidth={2} aria-hidden />}
            onClick={decide('denied')}
          >
            Deny
          </Button>
        </>
      )}
      {!account.isSample && !deciding && (
        <Link
          to={paths.adminUpload}
          params={{ userId: account.id }}
          aria-label={`Upload Data for ${account.email}`}
          className={buttonClass('secondary', 'dense')}
        >
          <Upload size={16} strokeWidth={1.75} aria-hidden />
          Upload Data
        </Link>
      )}
      {!account.isYou && <DeleteButton account={account} onDelete={onDelete} />}
    </span>
  );
}

type DeleteProps = { readonly account: ListedAccount; readonly onDelete: (account: ListedAccount) => void };

/** Stays reachable when nobody may delete the account, so that its reason can be read. */
function DeleteButton({ account, onDelete }: DeleteProps) {
  const reasonId = useId();
  const reason = deleteReason(account);
  return (
    <>
      <Button
        variant="danger-ghost"
        size="dense"
        aria-label={`Delete ${account.email}`}
        aria-disabled={reason !== undefined}
        aria-describedby={reason && reasonId}
        title={reason}
        onClick={() => !reason && onDelete(account)}
      >
        Delete
      </Button>
      {reason && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </>
  );
}
