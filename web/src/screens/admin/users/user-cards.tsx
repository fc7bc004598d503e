import type { ListedAccount } from '@kc/rules/shapes';
import { useMemo, useRef } from 'react';
import type { RowActions } from './row-actions.ts';
import { useRowFocus, type WantedRow } from './use-row-focus.ts';
import { useWindowRows } from './use-window-rows.ts';
import { UserCard } from './user-card.tsx';

/** A card without a name, with the space below it. Cards measure themselves. */
const aboutPx = 166;

type Props = {
  readonly accounts: readonly ListedAccount[];
  readonly wanted: WantedRow | undefined;
  readonly actions: RowActions;
};

/** The accounts where a table has no room. */
export function UserCards({ accounts, wanted, actions }: Props) {
  const ids = useMemo(() => accounts.map(({ id }) => id), [accounts]);
  const focus = useRowFocus(ids, wanted);
  const list = useRef<HTMLUListElement>(null);
  const cards = useWindowRows(list, ids.length, aboutPx, -1);
  const drawn = cards.getVirtualItems();
  const top = (drawn[0]?.start ?? 0) - cards.options.scrollMargin;
  const bottom = cards.getTotalSize() - ((drawn.at(-1)?.end ?? 0) - cards.options.scrollMargin);
  return (
    <ul
      ref={list}
      aria-label="User accounts"
      className="flex flex-col"
      style={{ paddingTop: Math.max(0, top), paddingBottom: Math.max(0, bottom) }}
      {...focus.holders}
    >
      {drawn.map(({ index }) => {
        const account = accounts[index];
        return (
          account && (
            <li
              key={account.id}
              ref={cards.measureElement}
              data-index={index}
              aria-setsize={ids.length}
              aria-posinset={index + 1}
              className="pb-3"
            >
              <UserCard account={account} actions={actions} />
            </li>
          )
        );
      })}
    </ul>
  );
}
