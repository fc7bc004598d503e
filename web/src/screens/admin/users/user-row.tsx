import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { memo, useId } from 'react';
import { Button, buttonClass } from '../../../ui/button.tsx';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { deleteReason } from './fixed-reasons.ts';
import type { RowActions } from './row-actions.ts';
import { RowMenu } from './row-menu.tsx';
import type { Density } from './use-density.ts';
import { RoleChoice, StatusChoice } from './user-choices.tsx';
import { cellPadding } from './user-columns.ts';
import { Decide, Moment, Who } from './user-parts.tsx';

export type RowChoice = 'status' | 'role';

type Props = {
  readonly account: ListedAccount;
  /** Its place among all rows of the table, the header counted: 2 for the first. */
  readonly place: number;
  readonly density: Density;
  readonly deciding: boolean;
  /** Whether the Tab key leads to this row. */
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  /** Whose list a key has opened. */
  readonly choice: RowChoice | undefined;
  readonly onChoice: (id: string, choice: RowChoice, open: boolean) => void;
  readonly onSelect: (id: string, stretch: boolean) => void;
  readonly actions: RowActions;
};

export const rowElementId = (id: string): string => `user-${id}`;

/** An account as a row of the table. Its controls are in the order of the Tab key only while it is the current one. */
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

/** Stays reachable when nobody may delete the account, so that its reason can be read. */
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
