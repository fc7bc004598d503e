import { Menu } from '@base-ui/react/menu';
import { Copy, Link2, LocateFixed, Network, ZoomIn } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { useOverlayContainer } from '../../ui/overlay-region.tsx';
import { popupClass, popupItemClass } from '../../ui/popup-style.ts';
import { linkTo, useCopy } from './copy.ts';
import { useExplorer, useLook } from './explorer-context.ts';
import type { Point } from './pointer.ts';
import type { Stage } from './stage.ts';

export type MenuPlace = { readonly row: number; readonly at: Point };

type NodeMenuProps = {
  readonly place: MenuPlace;
  readonly surface: RefObject<HTMLElement | null>;
  readonly stage: Stage | undefined;
  readonly onClose: () => void;
};

/** What can be done with a node, at the point where it was asked for. */
export function NodeMenu({ place, surface, stage, onClose }: NodeMenuProps) {
  const explorer = useExplorer();
  const view = useLook((state) => state.view);
  const container = useOverlayContainer();
  const copy = useCopy();
  const { row } = place;
  const { tree } = explorer;
  const isBranch = tree.childCount[row]! > 0;
  const isOpen = stage?.isOpen(row) ?? false;
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal container={container}>
        <Menu.Positioner
          anchor={anchorAt(surface, place.at)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-50"
        >
          <Menu.Popup aria-label={tree.name(row)} finalFocus={surface} className={`${popupClass} min-w-52 p-1.5`}>
            <Item icon={<LocateFixed size={18} strokeWidth={1.75} />} onSelect={() => explorer.focusOn(row)}>
              Focus here
            </Item>
            {view === 'tree' && isBranch && (
              <Item icon={<Network size={18} strokeWidth={1.75} />} onSelect={() => explorer.toggleBranch(row, isOpen)}>
                {isOpen ? 'Close branch' : 'Open branch'}
              </Item>
            )}
            <Item icon={<ZoomIn size={18} strokeWidth={1.75} />} onSelect={() => stage?.fitRow(row)}>
              Zoom to fit
            </Item>
            <Item
              icon={<Copy size={18} strokeWidth={1.75} />}
              onSelect={() => copy(tree.name(row), 'explore/name-copied')}
            >
              Copy name
            </Item>
            <Item
              icon={<Link2 size={18} strokeWidth={1.75} />}
              onSelect={() => copy(linkTo(tree.addressOf(row), isBranch), 'explore/link-copied')}
            >
              Copy link
            </Item>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Item({ icon, onSelect, children }: { icon: ReactNode; onSelect: () => void; children: ReactNode }) {
  return (
    <Menu.Item className={popupItemClass} onClick={onSelect}>
      {icon}
      {children}
    </Menu.Item>
  );
}

function anchorAt(surface: RefObject<HTMLElement | null>, at: Point) {
  return {
    getBoundingClientRect: () => {
      const frame = surface.current?.getBoundingClientRect();
      return new DOMRect((frame?.left ?? 0) + at.x, (frame?.top ?? 0) + at.y, 0, 0);
    },
  };
}
