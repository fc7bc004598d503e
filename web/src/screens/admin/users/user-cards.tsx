import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { Check, Copy, Ellipsis, PanelRightOpen, Trash2, Upload } from 'lucide-react';
import { type PointerEvent, type ReactNode, type RefObject, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { iconButtonClass } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { deleteReason, statusReason } from './account-changes.ts';
import { type RequestedRow, rowElementId, useRowFocus } from './list-rows.ts';
import { Decide, Moment, RoleChoice, StatusChoice, Who } from './user-fields.tsx';
import type { RowActions } from './user-row.tsx';

/** Estimated height of a card without a name, including the gap. Cards measure themselves. */
const aboutPx = 166;
/** Shorter lists are rendered in full, so that the browser's find-in-page works. */
const wholeUpTo = 100;

type Props = {
  readonly accounts: readonly ListedAccount[];
  readonly requested: RequestedRow | undefined;
  readonly actions: RowActions;
};

/** The accounts as cards, for windows too narrow for the table. Of a long list, those near the viewport are rendered. */
export function UserCards({ accounts, requested, actions }: Props) {
  const ids = useMemo(() => accounts.map(({ id }) => id), [accounts]);
  const focus = useRowFocus(ids, requested);
  const list = useRef<HTMLUListElement>(null);
  const cards = useWindowVirtualizer({
    count: ids.length,
    estimateSize: () => aboutPx,
    overscan: ids.length <= wholeUpTo ? wholeUpTo : 10,
    scrollMargin: usePageTop(list),
  });
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

/**
 * The distance of an element from the top of the page in CSS pixels, kept up to date as the content above it changes.
 */
function usePageTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => setTop(Math.round((element.current?.getBoundingClientRect().top ?? 0) + window.scrollY));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

type CardProps = { readonly account: ListedAccount; readonly actions: RowActions };

/** An account as a card. A pending account can be approved by swiping right, or with the button. */
function UserCard({ account, actions }: CardProps) {
  const [sheetOpen, setSheetOpen] = useState(false);
  const waits = account.status === 'pending' && statusReason(account) === undefined;
  const swipe = useSwipe(waits ? () => actions.change({ account, what: 'status', to: 'approved' }) : undefined);
  return (
    <div className="relative rounded-card">
      {waits && (
        <span
          aria-hidden
          className="absolute inset-0 flex items-center gap-2 rounded-card bg-ok-soft pl-5 font-medium text-ok text-small"
        >
          <Check size={18} strokeWidth={2} />
          Approve
        </span>
      )}
      <div
        id={rowElementId(account.id)}
        data-user={account.id}
        tabIndex={-1}
        {...swipe}
        className="motion relative flex touch-pan-y flex-col gap-3 rounded-card border border-line bg-surface p-4 shadow-1 transition-transform duration-150"
      >
        <div className="flex items-start justify-between gap-2">
          <Who account={account} />
          <button
            type="button"
            aria-label={`More actions for ${account.email}`}
            className={`${iconButtonClass('dense')} -mt-1 -mr-2`}
            onClick={() => setSheetOpen(true)}
          >
            <Ellipsis size={18} />
          </button>
        </div>
        <div className="grid grid-cols-2 gap-3">
          <StatusChoice account={account} onChange={actions.change} />
          <RoleChoice account={account} onChange={actions.change} />
        </div>
        <div className="flex flex-wrap items-center justify-between gap-3">
          <span className="text-micro text-muted">
            Created <Moment at={account.createdAt} />
          </span>
          {waits && (
            <span className="flex w-full gap-2 *:flex-1">
              <Decide account={account} onChange={actions.change} />
            </span>
          )}
        </div>
      </div>
      <CardSheet account={account} actions={actions} open={sheetOpen} onClose={() => setSheetOpen(false)} />
    </div>
  );
}

const sheetRow =
  'flex h-12 w-full items-center gap-3 rounded-control px-3 text-left text-body text-ink no-underline hover:bg-sunken aria-disabled:cursor-not-allowed aria-disabled:opacity-50';

type SheetProps = CardProps & { readonly open: boolean; readonly onClose: () => void };

/** More actions for an account, as a bottom sheet. */
function CardSheet({ account, actions, open, onClose }: SheetProps) {
  const reason = deleteReason(account);
  const doing = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={account.email} place="bottom">
      <div className="-mx-3 flex flex-col gap-1">
        <SheetButton icon={<PanelRightOpen size={18} />} onPress={doing(() => actions.open(account))}>
          Details
        </SheetButton>
        {!account.isSample && (
          <Link to={paths.adminUpload} params={{ userId: account.id }} className={sheetRow}>
            <Upload size={18} />
            Upload Data
          </Link>
        )}
        <SheetButton icon={<Copy size={18} />} onPress={doing(() => actions.copy(account.email, 'email'))}>
          Copy email
        </SheetButton>
        {!account.isYou && (
          <SheetButton icon={<Trash2 size={18} />} refused={reason} onPress={doing(() => actions.remove(account))}>
            <span className="text-bad">Delete</span>
            {reason && <span className="ml-2 text-micro text-muted">{reason}</span>}
          </SheetButton>
        )}
      </div>
    </Dialog>
  );
}

type ButtonProps = {
  readonly icon: ReactNode;
  readonly onPress: () => void;
  readonly refused?: string | undefined;
  readonly children: ReactNode;
};

function SheetButton({ icon, onPress, refused, children }: ButtonProps) {
  return (
    <button
      type="button"
      className={sheetRow}
      aria-disabled={refused !== undefined}
      onClick={() => refused === undefined && onPress()}
    >
      {icon}
      <span>{children}</span>
    </button>
  );
}

/** How far to the right a swipe must go, in CSS pixels. */
const enoughPx = 96;
/** Dead zone: beyond it, a horizontal drag moves the card instead of scrolling the page. */
const slackPx = 12;

/** How far the card follows a drag: only to the right, and not while the page scrolls. */
export function pulled(dx: number, dy: number): number {
  return dx <= slackPx || Math.abs(dy) > dx ? 0 : Math.min(dx - slackPx, 1.5 * enoughPx);
}

/** Whether releasing the card here completes the swipe. */
export const isEnough = (px: number): boolean => px >= enoughPx;

/**
 * A card that can be swiped to the right. It follows the finger and snaps back.
 *
 * @param onSwipe `undefined` if the card cannot be swiped
 * @returns props for the card, which must not scroll horizontally itself (`touch-pan-y`)
 */
function useSwipe(onSwipe: (() => void) | undefined) {
  const from = useRef<{ x: number; y: number } | undefined>(undefined);
  if (!onSwipe) return {};
  const place = (event: PointerEvent<HTMLElement>): number =>
    from.current ? pulled(event.clientX - from.current.x, event.clientY - from.current.y) : 0;
  const back = (card: HTMLElement) => {
    from.current = undefined;
    card.style.transform = '';
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'touch') from.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current) event.currentTarget.style.transform = `translateX(${place(event)}px)`;
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const enough = isEnough(place(event));
      back(event.currentTarget);
      if (enough) onSwipe();
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => back(event.currentTarget),
  };
}
