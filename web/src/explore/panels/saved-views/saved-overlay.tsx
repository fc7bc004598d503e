import { Popover } from '@base-ui/react/popover';
import type { RefObject } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { useOverlayContainer } from '../../../ui/overlay-region.tsx';
import { popupClass } from '../../../ui/popup-style.ts';
import { SavedPanel } from './saved-panel.tsx';

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isSmall: boolean;
  readonly onClose: () => void;
};

/** The saved views panel: beside its button, or as a bottom sheet on a small screen. */
export function SavedOverlay({ button, isSmall, onClose }: Props) {
  const container = useOverlayContainer();
  if (isSmall) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title="Saved views" place="bottom">
        <SavedPanel onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Popover.Root
      open
      modal="trap-focus"
      onOpenChange={(open, { event, reason }) => {
        // The command palette returns the focus to the page when it closes.
        if (reason === 'focus-out') return;
        // The button itself toggles the panel.
        if (!open && !(event.target instanceof Node && button.current?.contains(event.target))) onClose();
      }}
    >
      <Popover.Portal container={container}>
        <Popover.Positioner
          anchor={button}
          align="end"
          sideOffset={6}
          collisionPadding={8}
          collisionAvoidance={{ fallbackAxisSide: 'none' }}
          className="z-50"
        >
          <Popover.Popup
            aria-label="Saved views"
            finalFocus={button}
            className={`${popupClass} max-h-[var(--available-height)] w-[min(27rem,calc(100vw-1rem))] overflow-y-auto p-4`}
          >
            <SavedPanel onClose={onClose} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
