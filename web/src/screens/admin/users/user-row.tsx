import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { Copy, Ellipsis, IdCard, PanelRightOpen, Trash2, Upload } from 'lucide-react';
import { memo, type ReactNode, useId } from 'react';
import { Button, buttonClass, iconButtonClass } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { GridRow, type RowFrame, type RowGestures } from '../../../ui/data-grid.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { type Change, deleteReason, type Plan } from './account-changes.ts';
import { rowElementId } from './list-rows.ts';
import { Decide, Moment, RoleChoice, StatusChoice, Who } from './user-fields.tsx';
import type { SortColumn } from './user-lists.ts';

/** What rows, cards and the drawer can do to an account. The same object for the lifetime of the tab. */
export type RowActions = {
  readonly change: (change: Change) => void;
  readonly changeAll: (plan: Plan) => void;
  /** Undoes the last change while its notice is shown. */
  readonly undo: () => void;
  readonly remove: (account: ListedAccount) => void;
  readonly open: (account: ListedAccount) => void;
  readonly upload: (account: ListedAccount) => void;
  readonly copy: (text: string, what: 'email' | 'id') => void;
};

export type RowChoice = 'status' | 'role';

type Props = RowFrame & {
  readonly account: ListedAccount;
  readonly deciding: boolean;
  readonly isLast: boolean;
  /** Which of its lists a key has opened. */
  readonly choice: RowChoice | undefined;
  readonly onChoice: (id: string, choice: RowChoice, open: boolean) => void;
  readonly gestures: Required<RowGestures>;
  readonly actions: RowActions;
};

/** An account as a row. Its controls are tab stops only while it is the current row. */
export const UserRow = memo(function UserRow(props: Props) {
  const { account, deciding, isLast, choice, onChoice, gestures, actions, ...frame } = props;
  const tabIndex = frame.isCursor ? 0 : -1;
  const control = (which: RowChoice) => ({
    tabIndex,
    open: choice === which,
    onOpenChange: (open: boolean) => onChoice(account.id, which, open),
    returnTo: () => document.getElementById(rowElementId(account.id)),
  });
  const cells: Readonly<Record<string, () => ReactNode>> = {
    select: () => (
      <div className="pl-3">
        <Checkbox
          label={`Select ${account.email}`}
          showLabel={false}
          checked={frame.isPicked}
          tabIndex={tabIndex}
          onChange={(_, shift) => (shift ? gestures.extend : gestures.toggle)(frame.rank)}
        />
      </div>
    ),
    email: () => <Who account={account} />,
    status: () => <StatusChoice account={account} onChange={actions.change} control={control('status')} />,
    role: () => <RoleChoice account={account} onChange={actions.change} control={control('role')} />,
    created: () => <Moment at={account.createdAt} />,
    actions: () => <Actions account={account} deciding={deciding} actions={actions} tabIndex={tabIndex} />,
  };
  return (
    <GridRow
      frame={frame}
      data-user={account.id}
      tabIndex={tabIndex}
      className={classNames(
        'group scroll-mt-26 scroll-mb-24 outline-offset-[-2px]',
        isLast && 'rounded-b-card border-b-0',
        account.isYou && 'shadow-[inset_3px_0_var(--brand)]',
      )}
      cellProps={({ id }) => ({
        className: classNames('text-ink', id !== 'created' && '*:min-w-0 *:flex-1'),
        ...(id === 'email' && { role: 'rowheader' }),
      })}
      cell={({ id }) => cells[id]!()}
    />
  );
});

type ActionsProps = {
  readonly account: ListedAccount;
  readonly deciding: boolean;
  readonly actions: RowActions;
  readonly tabIndex: number;
};

function Actions({ account, deciding, actions, tabIndex }: ActionsProps) {
  return (
    <span className="-mr-1 flex items-center justify-end">
      {deciding ? (
        <span className="mr-auto flex items-center gap-2">
          <Decide account={account} onChange={actions.change} tabIndex={tabIndex} />
        </span>
      ) : (
        <>
          {!account.isSample && (
            <Link
              to={paths.adminUpload}
              params={{ userId: account.id }}
              tabIndex={tabIndex}
              aria-label={`Upload Data for ${account.email}`}
              className={classNames(buttonClass('secondary', 'dense'), 'mr-auto px-2.5 max-xl:hidden')}
            >
              Upload Data
            </Link>
          )}
          {!account.isYou && <DeleteButton account={account} actions={actions} tabIndex={tabIndex} />}
        </>
      )}
      <RowMenu account={account} actions={actions} tabIndex={tabIndex} />
    </span>
  );
}

/** Stays focusable when the account cannot be deleted, so that the reason can be read. */
function DeleteButton({ account, actions, tabIndex }: Omit<ActionsProps, 'deciding'>) {
  const reasonId = useId();
  const reason = deleteReason(account);
  return (
    <span className="max-xl:hidden">
      <Button
        variant="danger-ghost"
        size="dense"
        className="px-1.5"
        tabIndex={tabIndex}
        aria-label={`Delete ${account.email}`}
        aria-disabled={reason !== undefined}
        aria-describedby={reason && reasonId}
        title={reason}
        onClick={() => !reason && actions.remove(account)}
      >
        Delete
      </Button>
      {reason && (
        <span id={reasonId} hidden>
          {reason}
        </span>
      )}
    </span>
  );
}

/** More actions for an account. */
function RowMenu({ account, actions, tabIndex }: Omit<ActionsProps, 'deciding'>) {
  const reason = deleteReason(account);
  return (
    <Menu
      align="end"
      className="w-56"
      trigger={
        <button
          type="button"
          title="More actions"
          aria-label={`More actions for ${account.email}`}
          tabIndex={tabIndex}
          className={iconButtonClass('dense')}
        >
          <Ellipsis size={18} />
        </button>
      }
    >
      <MenuItem icon={<PanelRightOpen size={18} />} onSelect={() => actions.open(account)}>
        Details
      </MenuItem>
      <MenuItem icon={<Copy size={18} />} onSelect={() => actions.copy(account.email, 'email')}>
        Copy email
      </MenuItem>
      <MenuItem icon={<IdCard size={18} />} onSelect={() => actions.copy(account.id, 'id')}>
        Copy id
      </MenuItem>
      {!account.isSample && (
        <MenuItem icon={<Upload size={18} />} render={<Link to={paths.adminUpload} params={{ userId: account.id }} />}>
          Upload Data
        </MenuItem>
      )}
      {!account.isYou && (
        <>
          <MenuSeparator />
          <div title={reason}>
            <MenuItem
              icon={<Trash2 size={18} />}
              disabled={reason !== undefined}
              onSelect={() => actions.remove(account)}
            >
              <span className="text-bad">Delete</span>
            </MenuItem>
          </div>
        </>
      )}
    </Menu>
  );
}

export type UserColumn = {
  readonly id: SortColumn | 'select' | 'actions';
  readonly title: string;
  /** The width in CSS pixels; 0 for the room that the others leave. */
  readonly px: number;
};

/** The columns of the table. In the list of pending users, the actions are Approve and Deny. */
export function columnsOf(deciding: boolean, isWide: boolean): readonly UserColumn[] {
  return [
    { id: 'select', title: 'Select', px: 44 },
    { id: 'email', title: 'Email', px: 0 },
    { id: 'status', title: 'Status', px: 136 },
    { id: 'role', title: 'Role', px: 160 },
    { id: 'created', title: 'Created', px: isWide ? 184 : 120 },
    { id: 'actions', title: 'Actions', px: deciding ? (isWide ? 264 : 220) : isWide ? 220 : 80 },
  ];
}
