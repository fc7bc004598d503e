import { Menu } from '@base-ui/react/menu';
import { FileText, FolderDown, Link2, Presentation, Send, Star, UserRoundPlus } from 'lucide-react';
import { type RefObject, useContext, useEffect, useRef } from 'react';
import { keyName } from '../../../ui/keys.ts';
import { MenuItem } from '../../../ui/menu.tsx';
import { popupClass, useOverlayContainer } from '../../../ui/popup.tsx';
import { ExplorerPartsContext, useExplorer } from '../explorer-context.ts';
import { openSaved } from '../saved/save-view-button.tsx';
import { linkToView, useCopy } from './copy.ts';

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly byKey: boolean;
  readonly onExport: () => void;
  readonly onClose: () => void;
};

/** What can be done with the view for others and for later, in at most seven items. Files have a dialog of their own. */
export function ShareMenu({ button, byKey, onExport, onClose }: Props) {
  const explorer = useExplorer();
  const { store } = explorer;
  const container = useOverlayContainer();
  const popup = useRef<HTMLDivElement>(null);
  const copy = useCopy();
  const { onShareWithPerson } = useContext(ExplorerPartsContext);
  useEffect(() => {
    if (!byKey) return;
    const frame = requestAnimationFrame(() => popup.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [byKey]);
  return (
    <Menu.Root
      open
      onOpenChange={(open, { event }) => {
        // The button itself closes the menu that it opened.
        if (!open && !(event.target instanceof Node && button.current?.contains(event.target))) onClose();
      }}
    >
      <Menu.Portal container={container}>
        <Menu.Positioner
          anchor={button}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          // Rotating a phone may move the button out of view, but must not take the menu with it.
          collisionAvoidance={{ side: 'flip', align: 'shift' }}
          sticky
          className="z-50 outline-none"
        >
          <Menu.Popup
            ref={popup}
            aria-label="Share"
            finalFocus={button}
            className={`${popupClass} max-h-[var(--available-height)] w-80 max-w-[calc(100vw-1rem)] overflow-y-auto p-1.5`}
          >
            {explorer.isKept && (
              <>
                <MenuItem
                  icon={<Link2 size={18} />}
                  keys={keyName('⌘⇧L')}
                  onSelect={() => copy(linkToView(explorer), 'explore/link-copied')}
                >
                  Copy link
                </MenuItem>
                <p className="m-0 px-3 pb-1.5 text-micro text-muted">
                  It opens exactly this view, for whoever signs in and has access to this visualization.
                </p>
                {onShareWithPerson && (
                  <MenuItem icon={<UserRoundPlus size={18} />} onSelect={onShareWithPerson}>
                    Share with a person…
                  </MenuItem>
                )}
                <MenuItem icon={<Star size={18} />} keys="⇧S" onSelect={openSaved}>
                  Save this view
                </MenuItem>
                <MenuItem
                  icon={<Presentation size={18} />}
                  keys="P"
                  onSelect={() => store.setState({ presenting: true })}
                >
                  Present the saved views
                </MenuItem>
              </>
            )}
            {!explorer.isDraft && (
              <MenuItem icon={<Send size={18} />} onSelect={() => store.setState({ handingOver: true })}>
                Hand over…
              </MenuItem>
            )}
            <MenuItem icon={<FileText size={18} />} onSelect={() => store.setState({ reporting: true })}>
              Print report…
            </MenuItem>
            <MenuItem icon={<FolderDown size={18} />} onSelect={onExport}>
              Export…
            </MenuItem>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
