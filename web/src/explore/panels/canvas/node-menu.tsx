import { Menu } from '@base-ui/react/menu';
import {
  ChevronsDownUp,
  ClipboardList,
  Columns2,
  Copy,
  Eye,
  EyeOff,
  FileSpreadsheet,
  Link2,
  ListTree,
  LocateFixed,
  Network,
  ZoomIn,
} from 'lucide-react';
import { type RefObject, useContext } from 'react';
import { MenuItem } from '../../../ui/menu.tsx';
import { popupClass, useOverlayContainer } from '../../../ui/popup.tsx';
import type { Point } from '../../charts/camera/camera.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { toggleCompared } from '../../model/compare.ts';
import { ExplorerPartsContext, useExplorer, useLook } from '../explorer-context.ts';
import { hideBranch, isHidden, showBranch } from '../filter/use-filter.ts';
import { PlanMenuItems } from '../plan/plan-elsewhere.tsx';
import { linkTo, useCopy } from '../share/copy.ts';
import { useShareActions } from '../share/share-actions.ts';

export type MenuPlace = { readonly row: number; readonly at: Point };

type NodeMenuProps = {
  readonly place: MenuPlace;
  readonly surface: RefObject<HTMLElement | null>;
  readonly stage: Stage | undefined;
  readonly onClose: () => void;
};

/** The context menu of a node, at the point where it was opened. */
export function NodeMenu({ place, surface, stage, onClose }: NodeMenuProps) {
  const { tree } = useExplorer();
  const container = useOverlayContainer();
  return (
    <Menu.Root open onOpenChange={(open) => !open && onClose()}>
      <Menu.Portal container={container}>
        <Menu.Positioner
          anchor={anchorAt(surface, place.at)}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          // It is longer than what is above or below a node in the middle of a screen.
          collisionAvoidance={{ side: 'shift', align: 'shift' }}
          className="z-50"
        >
          <Menu.Popup
            aria-label={tree.name(place.row)}
            finalFocus={surface}
            className={`${popupClass} max-h-[calc(100dvh-1rem)] min-w-52 overflow-y-auto p-1.5`}
          >
            <NodeMenuItems row={place.row} stage={stage} />
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

/** What can be done with a node, wherever it is. @param stage the chart around it; absent outside of one */
export function NodeMenuItems({ row, stage }: { readonly row: number; readonly stage?: Stage | undefined }) {
  const explorer = useExplorer();
  const view = useLook((state) => state.view);
  const copy = useCopy();
  const share = useShareActions();
  const { MenuItems } = useContext(ExplorerPartsContext);
  const { tree } = explorer;
  const isLeftOut = tree.isLeftOut(row);
  const isBranch = tree.childCount[row]! > 0 && !isLeftOut;
  const isCompared = useLook((state) => state.compared.includes(row));
  const isOpen = stage?.isOpen(row) ?? false;
  const openInTree = () => {
    explorer.focusOn(row);
    explorer.setView('tree');
  };
  return (
    <>
      {!isLeftOut && (
        <MenuItem icon={<LocateFixed size={18} />} onSelect={() => explorer.focusOn(row)}>
          Focus here
        </MenuItem>
      )}
      {view === 'tree' && isBranch && (
        <MenuItem icon={<Network size={18} />} onSelect={() => explorer.toggleBranch(row, isOpen)}>
          {isOpen ? 'Close branch' : 'Open branch'}
        </MenuItem>
      )}
      {view !== 'tree' && isBranch && (
        <MenuItem icon={<Network size={18} />} onSelect={openInTree}>
          Open in Tree
        </MenuItem>
      )}
      {stage && (
        <MenuItem icon={<ZoomIn size={18} />} onSelect={() => stage.fitRow(row)}>
          Zoom to fit
        </MenuItem>
      )}
      {isBranch && (
        <MenuItem icon={<ChevronsDownUp size={18} />} onSelect={() => explorer.collapseOthers(row)}>
          Collapse others
        </MenuItem>
      )}
      {row > 0 && !isLeftOut && (
        <MenuItem icon={<EyeOff size={18} />} onSelect={() => hideBranch(explorer, row)}>
          Hide
        </MenuItem>
      )}
      {row > 0 && !isLeftOut && !explorer.tree.isStrays(row) && explorer.isKept && <PlanMenuItems row={row} />}
      {(!isLeftOut || isCompared) && (
        <MenuItem icon={<Columns2 size={18} />} onSelect={() => toggleCompared(explorer, row)}>
          {isCompared ? 'Compare no longer' : 'Compare'}
        </MenuItem>
      )}
      {isHidden(explorer, row) && (
        <MenuItem icon={<Eye size={18} />} onSelect={() => showBranch(explorer, row)}>
          Show again
        </MenuItem>
      )}
      <MenuItem icon={<Copy size={18} />} onSelect={() => copy(tree.ownName(row), 'explore/name-copied')}>
        Copy name
      </MenuItem>
      {isBranch && (
        <>
          <MenuItem icon={<ClipboardList size={18} />} onSelect={() => share.copyKeywords(row)}>
            Copy keywords
          </MenuItem>
          <MenuItem icon={<ListTree size={18} />} onSelect={() => share.copyList(row)}>
            Copy as a list
          </MenuItem>
        </>
      )}
      {explorer.isKept && (
        <MenuItem icon={<Link2 size={18} />} onSelect={() => copy(linkTo(explorer, row), 'explore/link-copied')}>
          Copy link
        </MenuItem>
      )}
      {isBranch && explorer.mayDownload && (
        <MenuItem icon={<FileSpreadsheet size={18} />} onSelect={() => share.branch('csv', row)}>
          Export branch
        </MenuItem>
      )}
      {MenuItems && !isLeftOut && <MenuItems row={row} />}
    </>
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
