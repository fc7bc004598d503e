import { paths } from '@kc/rules/paths';
import type { ListedAccount } from '@kc/rules/shapes';
import { Link } from '@tanstack/react-router';
import { Copy, Ellipsis, IdCard, PanelRightOpen, Trash2, Upload } from 'lucide-react';
import { iconButtonClass } from '../../../ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/menu.tsx';
import { deleteReason } from './fixed-reasons.ts';
import type { RowActions } from './row-actions.ts';

type Props = {
  readonly account: ListedAccount;
  readonly actions: RowActions;
  readonly tabIndex: number;
};

const icon = { size: 18, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** What else can be done to an account. */
export function RowMenu({ account, actions, tabIndex }: Props) {
  const reason = deleteReason(account);
  return (
    <Menu
      align="end"
      className="w-56"
      trigger={
        <button
          type="button"
          title="More actions"
          aria-label={`More actions for ${account.email}`}
          tabIndex={tabIndex}
          className={iconButtonClass('dense')}
        >
          <Ellipsis {...icon} />
        </button>
      }
    >
      <MenuItem icon={<PanelRightOpen {...icon} />} onSelect={() => actions.open(account)}>
        Details
      </MenuItem>
      <MenuItem icon={<Copy {...icon} />} onSelect={() => actions.copy(account.email, 'email')}>
        Copy email
      </MenuItem>
      <MenuItem icon={<IdCard {...icon} />} onSelect={() => actions.copy(account.id, 'id')}>
        Copy id
      </MenuItem>
      {!account.isSample && (
        <MenuItem icon={<Upload {...icon} />} render={<Link to={paths.adminUpload} params={{ userId: account.id }} />}>
          Upload Data
        </MenuItem>
      )}
      {!account.isYou && (
        <>
          <MenuSeparator />
          <div title={reason}>
            <MenuItem
              icon={<Trash2 {...icon} />}
              disabled={reason !== undefined}
              onSelect={() => actions.remove(account)}
            >
              <span className="text-bad">Delete</span>
            </MenuItem>
          </div>
        </>
      )}
    </Menu>
  );
}
