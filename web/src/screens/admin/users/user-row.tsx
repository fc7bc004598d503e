import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { Copy, Ellipsis, IdCard, PanelRightOpen, Trash2, Upload } from 'lucide-react';
import { memo, useId } from 'react';
import { Button, buttonClass, iconButtonClass } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { deleteReason } from './account-changes.ts';
import { rowElementId } from './list-rows.ts';
import type { RowActions } from './row-actions.ts';
import { Decide, Moment, RoleChoice, StatusChoice, Who } from './user-fields.tsx';
import type { SortColumn } from './user-lists.ts';
import type { Density } from './users-toolbar.tsx';

export type RowChoice = 'status' | 'role';

type Props = {
  readonly account: ListedAccount;
  /** ARIA row index: 2 for the first row, because the header counts. */
  readonly place: number;
  readonly density: Density;
  readonly deciding: boolean;
  /** Whether this row is the tab stop. */
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** Which of its lists a key has opened. */
  readonly choice: RowChoice | undefined;
  readonly onChoice: (id: string, choice: RowChoice, open: boolean) => void;
  readonly onSelect: (id: string, stretch: boolean) => void;
  readonly actions: RowActions;
};

/** An account as a table row. Its controls are tab stops only while it is the current row. */
export const UserRow = memo(function UserRow(props: Props) {
  const { account, place, density, isCurrent, isSelected, choice, onChoice, onSelect, actions } = props;
  const tabIndex = isCurrent ? 0 : -1;
  const control = (which: RowChoice) => ({
    tabIndex,
    open: choice === which,
    onOpenChange: (open: boolean) => onChoice(account.id, which, open),
    returnTo: () => document.getElementById(rowElementId(account.id)),
  });
  const cell = classNames(
    'border-line border-b font-normal group-hover:bg-sunken group-aria-selected:bg-brand-soft',
    'group-last:border-b-0 group-last:first:rounded-bl-card group-last:last:rounded-br-card',
    density === 'compact' ? 'h-11' : 'h-14',
    cellPadding,
  );
  return (
    <tr
      id={rowElementId(account.id)}
      data-user={account.id}
      tabIndex={tabIndex}
      aria-selected={isSelected}
      aria-rowindex={place}
      className={classNames(
        'group scroll-mt-26 scroll-mb-24 outline-offset-[-2px]',
        account.isYou && '[&>:first-child]:shadow-[inset_3px_0_var(--brand)]',
      )}
    >
      <td className={cell}>
        <Checkbox
          label={`Select ${account.email}`}
          showLabel={false}
          checked={isSelected}
          tabIndex={tabIndex}
          onChange={(_, shift) => onSelect(account.id, shift)}
        />
      </td>
      <th scope="row" className={classNames(cell, 'text-left')}>
        <Who account={account} />
      </th>
      <td className={cell}>
        <StatusChoice account={account} onChange={actions.change} control={control('status')} />
      </td>
      <td className={cell}>
        <RoleChoice account={account} onChange={actions.change} control={control('role')} />
      </td>
      <td className={classNames(cell, 'xl:whitespace-nowrap')}>
        <Moment at={account.createdAt} />
      </td>
      <td className={cell}>
        <Actions account={account} deciding={props.deciding} actions={actions} tabIndex={tabIndex} />
      </td>
    </tr>
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

type MenuProps = {
  readonly account: ListedAccount;
  readonly actions: RowActions;
  readonly tabIndex: number;
};

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** More actions for an account. */
function RowMenu({ account, actions, tabIndex }: MenuProps) {
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
          <Ellipsis {...icon} />
        </button>
      }
    >
      <MenuItem icon={<PanelRightOpen {...icon} />} onSelect={() => actions.open(account)}>
        Details
      </MenuItem>
      <MenuItem icon={<Copy {...icon} />} onSelect={() => actions.copy(account.email, 'email')}>
        Copy email
      </MenuItem>
      <MenuItem icon={<IdCard {...icon} />} onSelect={() => actions.copy(account.id, 'id')}>
        Copy id
      </MenuItem>
      {!account.isSample && (
        <MenuItem icon={<Upload {...icon} />} render={<Link to={paths.adminUpload} params={{ userId: account.id }} />}>
          Upload Data
        </MenuItem>
      )}
      {!account.isYou && (
        <>
          <MenuSeparator />
          <div title={reason}>
            <MenuItem
              icon={<Trash2 {...icon} />}
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
  readonly width: string;
};

const upTo: readonly UserColumn[] = [
  { id: 'select', title: 'Select', width: 'w-11' },
  { id: 'email', title: 'Email', width: '' },
  { id: 'status', title: 'Status', width: 'w-34' },
  { id: 'role', title: 'Role', width: 'w-40' },
  { id: 'created', title: 'Created', width: 'w-46 max-xl:w-30' },
];

/** The columns of the table. In the list of pending users, the actions are Approve and Deny. */
export function columnsOf(deciding: boolean): readonly UserColumn[] {
  return [...upTo, { id: 'actions', title: 'Actions', width: deciding ? 'w-66 max-xl:w-55' : 'w-55 max-xl:w-20' }];
}

/** Cell padding, with extra space at the table's edges. */
export const cellPadding = 'px-3 first:pr-0 first:pl-3 last:pr-3';
