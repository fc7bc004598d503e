import { shownName } from '@kc/rules/account';
import { noticesPath, paths } from '@kc/rules/paths';
import { Link } from '@tanstack/react-router';
import { ChevronDown, type LucideIcon, Network, Scale, ShieldCheck } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';
import { Badge } from '../ui/badge.tsx';
import { Menu, MenuItem, MenuSeparator } from '../ui/menu.tsx';

export type Person = {
  readonly email: string;
  readonly displayName: string;
  readonly photoUrl?: string | undefined;
};

/** What the user can do about themselves: in the user menu, in the menu of a phone, and as a command. */
export type OwnAction = {
  readonly name: string;
  readonly Icon: LucideIcon;
  readonly run: () => void;
  /** Whether it ends the session: what it was chosen in stays until the page is left. */
  readonly isSignOut?: true;
};

export type UserMenuProps = {
  readonly account: Person;
  readonly isAdmin: boolean;
  readonly approved: boolean;
  readonly actions: readonly OwnAction[];
};

/** The pages that the user menu and the menu of a phone lead to. */
export const ownPages = ({ isAdmin, approved }: Pick<UserMenuProps, 'isAdmin' | 'approved'>) => [
  ...(approved ? [{ name: 'My Visualizations', Icon: Network, to: paths.visualization }] : []),
  ...(isAdmin ? [{ name: 'Admin Panel', Icon: ShieldCheck, to: paths.admin }] : []),
];

/** The header's button with the account's name, and the menu behind it. */
export function UserMenu({ account, isAdmin, approved, actions }: UserMenuProps) {
  return (
    <Menu
      align="end"
      className="w-70"
      trigger={
        <button type="button" className="flex h-10 items-center gap-2.5 rounded-control px-1.5 hover:bg-sunken">
          <Avatar name={shownName(account)} photoUrl={account.photoUrl} presence="online" />
          <span className="sr-only max-w-40 truncate font-medium text-small lg:not-sr-only">{shownName(account)}</span>
          <ChevronDown size={16} className="text-muted" />
        </button>
      }
    >
      <PersonLines account={account} isAdmin={isAdmin} />
      <MenuSeparator />
      {ownPages({ isAdmin, approved }).map(({ name, Icon, to }) => (
        <MenuItem key={to} icon={<Icon size={18} />} render={<Link to={to} />}>
          {name}
        </MenuItem>
      ))}
      {approved && <MenuSeparator />}
      {actions.map(({ name, Icon, run }) => (
        <MenuItem key={name} icon={<Icon size={18} />} onSelect={run}>
          {name}
        </MenuItem>
      ))}
      <MenuSeparator />
      <MenuItem icon={<Scale size={18} />} render={<a href={noticesPath} target="_blank" rel="noreferrer" />}>
        Third-party notices
      </MenuItem>
    </Menu>
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
