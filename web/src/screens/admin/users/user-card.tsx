import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { Check, Copy, Ellipsis, PanelRightOpen, Trash2, Upload } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { iconButtonClass } from '../../../ui/icon-button.tsx';
import { deleteReason, statusReason } from './fixed-reasons.ts';
import type { RowActions } from './row-actions.ts';
import { useSwipe } from './use-swipe.ts';
import { RoleChoice, StatusChoice } from './user-choices.tsx';
import { Decide, Moment, Who } from './user-parts.tsx';
import { rowElementId } from './user-row.tsx';

type Props = { readonly account: ListedAccount; readonly actions: RowActions };

/** An account where a table has no room. Somebody who waits is approved by a swipe to the right, or by the button. */
export function UserCard({ account, actions }: Props) {
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
            <Ellipsis size={18} strokeWidth={1.75} aria-hidden />
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
const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

type SheetProps = Props & { readonly open: boolean; readonly onClose: () => void };

/** What else can be done to an account, at the foot of the window. */
function CardSheet({ account, actions, open, onClose }: SheetProps) {
  const reason = deleteReason(account);
  const doing = (act: () => void) => () => {
    onClose();
    act();
  };
  return (
    <Dialog open={open} onOpenChange={(next) => !next && onClose()} title={account.email} place="bottom">
      <div className="-mx-3 flex flex-col gap-1">
        <SheetButton icon={<PanelRightOpen {...icon} />} onPress={doing(() => actions.open(account))}>
          Details
        </SheetButton>
        {!account.isSample && (
          <Link to={paths.adminUpload} params={{ userId: account.id }} className={sheetRow}>
            <Upload {...icon} />
            Upload Data
          </Link>
        )}
        <SheetButton icon={<Copy {...icon} />} onPress={doing(() => actions.copy(account.email, 'email'))}>
          Copy email
        </SheetButton>
        {!account.isYou && (
          <SheetButton icon={<Trash2 {...icon} />} refused={reason} onPress={doing(() => actions.remove(account))}>
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
