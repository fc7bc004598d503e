import type { ListedAccount } from '@kc/rules/shapes';
import { useCallback, useMemo, useState } from 'react';
import { Checkbox } from '../../../ui/checkbox.tsx';
import { DataGrid } from '../../../ui/data-grid.tsx';
import { useMedia } from '../../../ui/environment.ts';
import type { GridColumn } from '../../../ui/grid-columns.ts';
import { useHeldSelection } from '../../../ui/held-rows.ts';
import { planOf, type Setting, statusReason } from './account-changes.ts';
import { rowIdPrefix, useRowFocus, type WantedRow } from './list-rows.ts';
import type { RowActions } from './row-actions.ts';
import type { SortColumn, UserSort } from './user-lists.ts';
import { columnsOf, type RowChoice, UserRow } from './user-row.tsx';
import { BulkBar, type Density, rowPx } from './users-toolbar.tsx';

export type UserTableProps = {
  readonly accounts: readonly ListedAccount[];
  /** Whether each row has its own Approve and Deny. */
  readonly deciding: boolean;
  readonly density: Density;
  readonly sort: UserSort | undefined;
  readonly onSort: (by: SortColumn) => void;
  readonly wanted: WantedRow | undefined;
  readonly actions: RowActions;
};

/**
 * The accounts as a grid with a single tab stop: arrow keys move between rows, letters act on the row. Long lists are
 * virtualized.
 */
export function UserTable({ accounts, deciding, density, sort, onSort, wanted, actions }: UserTableProps) {
  const ids = useMemo(() => accounts.map(({ id }) => id), [accounts]);
  const [choice, setChoice] = useState<OpenChoice>();
  const focus = useRowFocus(ids, wanted);
  const selection = useHeldSelection(ids, focus.current, focus.goTo);
  const { picked } = selection;
  const columns = useHeads({
    deciding,
    sort,
    onSort,
    picked: picked.length,
    of: ids.length,
    onAll: selection.allOrNone,
  });
  const onChoice = useCallback(
    (id: string, which: RowChoice, open: boolean) => setChoice((now) => choiceAfter(now, { id, which }, open)),
    [],
  );
  const clear = () => {
    selection.clear();
    if (focus.current !== undefined) focus.goTo(focus.current);
  };
  const setAll = (setting: Setting) => {
    const plan = planOf(
      setting,
      accounts.filter(({ id }) => selection.isPicked.has(id)),
    );
    actions.changeAll(plan);
    clear();
  };
  const openChoice = (which: RowChoice) => (rank: number) => setChoice({ id: ids[rank]!, which });

  return (
    <>
      <DataGrid
        id={rowIdPrefix}
        role="grid"
        label="User accounts"
        attributes={{ className: 'rounded-card border border-line bg-surface text-left shadow-1', ...focus.holders }}
        isPage
        columns={columns}
        count={ids.length}
        keyAt={(rank) => ids[rank]!}
        rowPx={rowPx[density]}
        cursor={ids.indexOf(focus.current ?? '')}
        isPicked={(rank) => selection.isPicked.has(ids[rank]!)}
        gestures={selection.gestures}
        keys={{
          Escape: selection.clear,
          s: openChoice('status'),
          r: openChoice('role'),
          u: (rank) => actions.upload(accounts[rank]!),
          a: (rank) => decide(actions, accounts[rank]!, 'approved'),
          d: (rank) => decide(actions, accounts[rank]!, 'denied'),
          z: () => actions.undo(),
          Delete: (rank) => actions.remove(accounts[rank]!),
        }}
        onOpen={(rank) => actions.open(accounts[rank]!)}
        row={(frame) => {
          const account = accounts[frame.rank];
          return (
            account && (
              <UserRow
                key={account.id}
                {...frame}
                account={account}
                deciding={deciding}
                isLast={frame.rank === ids.length - 1}
                choice={choice?.id === account.id ? choice.which : undefined}
                onChoice={onChoice}
                gestures={selection.gestures}
                actions={actions}
              />
            )
          );
        }}
      />
      {picked.length > 0 && <BulkBar count={picked.length} onSet={setAll} onClear={clear} />}
    </>
  );
}

type OpenChoice = { readonly id: string; readonly which: RowChoice };

/** A closing list clears only its own state: another one may have opened meanwhile. */
function choiceAfter(now: OpenChoice | undefined, changed: OpenChoice, open: boolean): OpenChoice | undefined {
  if (open) return changed;
  return now?.id === changed.id && now.which === changed.which ? undefined : now;
}

/** A and D decide only on pending accounts. */
function decide(actions: RowActions, account: ListedAccount, to: 'approved' | 'denied'): void {
  if (account.status === 'pending' && !statusReason(account)) actions.change({ account, what: 'status', to });
}

type Heads = Pick<UserTableProps, 'deciding' | 'sort' | 'onSort'> & {
  readonly picked: number;
  readonly of: number;
  readonly onAll: () => void;
};

/** The columns as those of a grid. */
function useHeads({ deciding, sort, onSort, picked, of, onAll }: Heads): readonly GridColumn[] {
  const isWide = useMedia('(width >= 80rem)');
  const [isAll, isSome] = [of > 0 && picked === of, picked > 0];
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the address is, sorting does the same
  return useMemo(() => {
    const box = (
      <div className="pl-3">
        <Checkbox
          label="Select all users shown"
          showLabel={false}
          checked={isAll}
          mixed={isSome && !isAll}
          onChange={onAll}
        />
      </div>
    );
    return columnsOf(deciding, isWide).map(({ id, title, px }): GridColumn => {
      const track = px === 0 ? 'minmax(0,1fr)' : `${px}px`;
      const column = { id, title, isText: true, width: px, shownWidth: px, track };
      if (id === 'select') return { ...column, isControl: true, head: box };
      if (id === 'actions') return isWide ? column : { ...column, head: <span className="sr-only">{title}</span> };
      const direction = sort?.by === id ? (sort.descending ? 'descending' : 'ascending') : undefined;
      return { ...column, sort: { direction, onSort: () => onSort(id) } };
    });
  }, [deciding, isWide, sort, isAll, isSome, onAll]);
}
