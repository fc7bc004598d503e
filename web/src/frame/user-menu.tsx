import { shownName } from '@kc/rules/account';
import { noticesPath, paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { ChevronDown, DoorOpen, LogOut, type LucideIcon, Network, Scale, ShieldCheck } from 'lucide-react';
import { useSignOut, useSignOutEverywhere } from '../session/change-session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';

export type Person = {
  readonly email: string;
  readonly displayName: string;
  readonly photoUrl?: string | undefined;
};

/** What the user can open about themselves: in the user menu, in the menu of a phone, and as a command. */
export type OwnAction = { readonly name: string; readonly Icon: LucideIcon; readonly run: () => void };

type UserMenuProps = {
  readonly account: Person;
  readonly isAdmin: boolean;
  readonly approved: boolean;
  readonly actions: readonly OwnAction[];
};

/** The header's button with the account's name, and the menu behind it. */
export function UserMenu(props: UserMenuProps) {
  const { account } = props;
  return (
    <Menu
      align="end"
      className="w-70"
      trigger={
        <button type="button" className="flex h-10 items-center gap-2.5 rounded-control px-1.5 hover:bg-sunken">
          <Avatar name={shownName(account)} photoUrl={account.photoUrl} presence="online" />
          <span className="sr-only max-w-40 truncate font-medium text-small lg:not-sr-only">{shownName(account)}</span>
          <ChevronDown size={16} strokeWidth={1.75} className="text-muted" aria-hidden />
        </button>
      }
    >
      <UserMenuItems {...props} />
    </Menu>
  );
}

function UserMenuItems({ account, isAdmin, approved, actions }: UserMenuProps) {
  const signOut = useSignOut();
  const signOutEverywhere = useSignOutEverywhere();
  return (
    <>
      <PersonLines account={account} isAdmin={isAdmin} />
      <MenuSeparator />
      {approved && (
        <MenuItem
          icon={<Network size={18} strokeWidth={1.75} aria-hidden />}
          render={<Link to={paths.visualization} />}
        >
          My Visualizations
        </MenuItem>
      )}
      {isAdmin && (
        <MenuItem icon={<ShieldCheck size={18} strokeWidth={1.75} aria-hidden />} render={<Link to={paths.admin} />}>
          Admin Panel
        </MenuItem>
      )}
      {approved && <MenuSeparator />}
      {actions.map(({ name, Icon, run }) => (
        <MenuItem key={name} icon={<Icon size={18} strokeWidth={1.75} aria-hidden />} onSelect={run}>
          {name}
        </MenuItem>
      ))}
      <MenuItem icon={<LogOut size={18} strokeWidth={1.75} aria-hidden />} onSelect={() => signOut.mutate()}>
        Sign Out
      </MenuItem>
      <MenuItem
        icon={<DoorOpen size={18} strokeWidth={1.75} aria-hidden />}
        onSelect={() => signOutEverywhere.mutate()}
      >
        Sign out everywhere
      </MenuItem>
      <MenuSeparator />
      <MenuItem
        icon={<Scale size={18} strokeWidth={1.75} aria-hidden />}
        render={<a href={noticesPath} target="_blank" rel="noreferrer" />}
      >
        Third-party notices
      </MenuItem>
    </>
  );
}

/** The signed-in user: picture or initial, name, email, and a badge for administrators. */
export function PersonLines({ account, isAdmin }: { readonly account: Person; readonly isAdmin: boolean }) {
  return (
    <div className="flex items-center gap-3 px-3 py-2">
      <Avatar name={shownName(account)} photoUrl={account.photoUrl} size="large" />
      <div className="min-w-0 flex-1">
        <p className="flex items-center gap-2">
          <span className="truncate font-medium text-body">{shownName(account)}</span>
          {isAdmin && <Badge tone="brand">Admin</Badge>}
        </p>
        <p className="truncate text-muted text-small">{account.email}</p>
      </div>
    </div>
  );
}
