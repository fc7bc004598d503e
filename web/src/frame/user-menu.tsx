import { shownName } from '@kc/rules/account';
import { ChevronDown } from 'lucide-react';
import { Avatar } from '../ui/avatar.tsx';
import { LazyMenu } from '../ui/menu.tsx';
import type { UserMenuProps } from './user-menu-items.tsx';

const loadItems = () => import('./user-menu-items.tsx');

/** The header's button with the account's name, and the menu behind it. */
export function UserMenu(props: UserMenuProps) {
  const { account } = props;
  return (
    <LazyMenu
      align="end"
      className="w-70"
      load={loadItems}
      trigger={
        <button type="button" className="flex h-10 items-center gap-2.5 rounded-control px-1.5 hover:bg-sunken">
          <Avatar name={shownName(account)} photoUrl={account.photoUrl} presence="online" />
          <span className="sr-only max-w-40 truncate font-medium text-small lg:not-sr-only">{shownName(account)}</span>
          <ChevronDown size={16} strokeWidth={1.75} className="text-muted" aria-hidden />
        </button>
      }
    >
      {({ UserMenuItems }) => <UserMenuItems {...props} />}
    </LazyMenu>
  );
}
