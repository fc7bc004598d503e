import { createContext, type ReactElement, type ReactNode, useContext } from 'react';
import type { MenuProps } from './opened-menu.tsx';
import { popupItemClass, useLazyPopup } from './popup.tsx';

/** A menu behind a button. */
export function Menu({ children, ...props }: MenuProps) {
  return (
    <LazyMenu {...props} load={nothing}>
      {() => children}
    </LazyMenu>
  );
}

const nothing = async () => undefined;

type LazyProps<Items> = Omit<MenuProps, 'children'> & {
  /** Loads what the items are made of, when the menu is first opened or about to be. */
  readonly load: () => Promise<Items>;
  readonly children: (items: Items) => ReactNode;
};

/** A menu whose items have scripts of their own, which are not needed until it opens. */
export function LazyMenu<Items>({ load, children, ...props }: LazyProps<Items>) {
  const menu = useLazyPopup(props.trigger, 'menu', () => Promise.all([import('./opened-menu.tsx'), load()]));
  if ('closed' in menu) return menu.closed;
  const [{ OpenedMenu, parts }, items] = menu.part;
  return (
    <OpenedMenu {...props} byKey={menu.byKey}>
      <MenuParts value={parts}>{children(items)}</MenuParts>
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
