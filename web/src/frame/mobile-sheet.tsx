import { noticesPath } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { Command, Scale } from 'lucide-react';
import { Dialog } from '../ui/dialog.tsx';
import { type OwnAction, ownPages, PersonLines, type UserMenuProps } from './user-menu.tsx';

type Props = UserMenuProps & {
  readonly open: boolean;
  readonly onOpenChange: (open: boolean) => void;
  readonly onCommands: () => void;
};

const rowClass =
  'flex h-12 w-full items-center gap-3 rounded-control px-3 text-left text-body text-ink no-underline hover:bg-sunken aria-[current=page]:bg-brand-soft aria-[current=page]:text-brand-ink';

/** The header's navigation and user menu on a phone. */
export function MobileSheet({ open, onOpenChange, account, isAdmin, approved, actions, onCommands }: Props) {
  const close = () => onOpenChange(false);
  const commands: OwnAction = { name: 'Commands', Icon: Command, run: onCommands };
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Menu" place="right">
      <div className="-mx-3 border-line border-b pb-3">
        <PersonLines account={account} isAdmin={isAdmin} />
      </div>
      <nav aria-label="Main" className="-mx-3 mt-3 flex flex-col gap-1">
        {ownPages({ isAdmin, approved }).map(({ name, Icon, to }) => (
          <Link key={to} to={to} className={rowClass} onClick={close}>
            <Icon size={18} />
            {name}
          </Link>
        ))}
        {[commands, ...actions].map(({ name, Icon, run, isSignOut }) => (
          <button
            key={name}
            type="button"
            className={rowClass}
            onClick={() => {
              if (!isSignOut) close();
              run();
            }}
          >
            <Icon size={18} />
            {name}
          </button>
        ))}
        <a href={noticesPath} target="_blank" rel="noreferrer" className={rowClass} onClick={close}>
          <Scale size={18} />
          Third-party notices
        </a>
      </nav>
    </Dialog>
  );
}
