import { createContext, type ReactElement, type ReactNode, useContext } from 'react';
import { useLazyPopup } from './lazy-popup.tsx';
import type { MenuProps } from './opened-menu.tsx';
import { popupItemClass } from './popup-style.ts';

/** A menu behind a button. */
export function Menu(props: MenuProps) {
  const menu = useLazyPopup(props.trigger, 'menu', () => import('./opened-menu.tsx'));
  if ('closed' in menu) return menu.closed;
  const { OpenedMenu, parts } = menu.part;
  return (
    <OpenedMenu {...props} byKey={menu.byKey}>
      <MenuParts value={parts}>{props.children}</MenuParts>
    </OpenedMenu>
  );
}

/** Items are declared where the menu is used, and rendered once the script with their components has loaded. */
const MenuParts = createContext<typeof import('./opened-menu.tsx').parts | undefined>(undefined);

function useParts() {
  const parts = useContext(MenuParts);
  if (!parts) throw new Error('An item outside of a menu');
  return parts;
}

type ItemProps = {
  readonly icon?: ReactNode;
  readonly children: ReactNode;
  readonly onSelect?: () => void;
  readonly disabled?: boolean;
  /** A link to render instead of a plain item. */
  readonly render?: ReactElement;
};

export function MenuItem({ icon, children, onSelect, disabled = false, render }: ItemProps) {
  const { Item } = useParts();
  return (
    <Item className={popupItemClass} onClick={onSelect} disabled={disabled} {...(render ? { render } : {})}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Item>
  );
}

export function MenuSeparator() {
  const { Separator } = useParts();
  return <Separator className="mx-1 my-1.5 h-px bg-line" />;
}
