import { noticesPath, paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { Command, DoorOpen, LogOut, Network, Scale, ShieldCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSignOut, useSignOutEverywhere } from '../session/change-session.ts';
import { Dialog } from '../ui/dialog.tsx';
import { type OwnAction, type Person, PersonLines } from './user-menu.tsx';

type Props = {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly account: Person;
  readonly isAdmin: boolean;
  readonly approved: boolean;
  readonly actions: readonly OwnAction[];
  readonly onCommands: () => void;
};

const rowClass =
  'flex h-12 w-full items-center gap-3 rounded-control px-3 text-left text-body text-ink no-underline hover:bg-sunken aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink';

/** The header's navigation and user menu on a phone. */
export function MobileSheet({ open, onOpenChange, account, isAdmin, approved, actions, onCommands }: Props) {
  const signOut = useSignOut();
  const signOutEverywhere = useSignOutEverywhere();
  const close = () => onOpenChange(false);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Menu" place="right">
      <div className="-mx-3 border-line border-b pb-3">
        <PersonLines account={account} isAdmin={isAdmin} />
      </div>
      <nav aria-label="Main" className="-mx-3 mt-3 flex flex-col gap-1">
        {approved && (
          <SheetLink
            to={paths.visualization}
            onFollow={close}
            icon={<Network size={18} strokeWidth={1.75} aria-hidden />}
          >
            My Visualizations
          </SheetLink>
        )}
        {isAdmin && (
          <SheetLink to={paths.admin} onFollow={close} icon={<ShieldCheck size={18} strokeWidth={1.75} aria-hidden />}>
            Admin Panel
          </SheetLink>
        )}
        {[{ name: 'Commands', Icon: Command, run: onCommands }, ...actions].map(({ name, Icon, run }) => (
          <button
            key={name}
            type="button"
            className={rowClass}
            onClick={() => {
              close();
              run();
            }}
          >
            <Icon size={18} strokeWidth={1.75} aria-hidden />
            {name}
          </button>
        ))}
        <button type="button" className={rowClass} onClick={() => signOut.mutate()}>
          <LogOut size={18} strokeWidth={1.75} aria-hidden />
          Sign Out
        </button>
        <button type="button" className={rowClass} onClick={() => signOutEverywhere.mutate()}>
          <DoorOpen size={18} strokeWidth={1.75} aria-hidden />
          Sign out everywhere
        </button>
        <a href={noticesPath} target="_blank" rel="noreferrer" className={rowClass} onClick={close}>
          <Scale size={18} strokeWidth={1.75} aria-hidden />
          Third-party notices
        </a>
      </nav>
    </Dialog>
  );
}

type SheetLinkProps = {
  readonly to: typeof paths.visualization | typeof paths.admin;
  readonly icon: ReactNode;
  readonly onFollow: () => void;
  readonly children: string;
};

function SheetLink({ to, icon, onFollow, children }: SheetLinkProps) {
  return (
    <Link to={to} className={rowClass} onClick={onFollow}>
      {icon}
      {children}
    </Link>
  );
}
