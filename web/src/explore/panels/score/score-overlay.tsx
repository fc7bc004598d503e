import { Popover } from '@base-ui/react/popover';
import { type RefObject, useRef } from 'react';
import { Dialog } from '../../../ui/dialog.tsx';
import { useOverlayContainer } from '../../../ui/overlay-region.tsx';
import { popupClass } from '../../../ui/popup-style.ts';
import { ScoreEditor } from './score-editor.tsx';

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isSmall: boolean;
  readonly onClose: () => void;
};

/** The editor of the score: below its button, or as a sheet on a small screen. */
export function ScoreOverlay({ button, isSmall, onClose }: Props) {
  const container = useOverlayContainer();
  const field = useRef<HTMLInputElement>(null);
  if (isSmall) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title="Score" place="bottom">
        <ScoreEditor field={field} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Popover.Root
      open
      modal="trap-focus"
      onOpenChange={(open, { event, reason }) => {
        // Closing the command palette moves the focus to the page, and the editor must stay open.
        if (reason === 'focus-out') return;
        // A press on the button toggles the editor by itself: closing here would open it again.
        if (!open && !(event.target instanceof Node && button.current?.contains(event.target))) onClose();
      }}
    >
      <Popover.Portal container={container}>
        <Popover.Positioner
          anchor={button}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          collisionAvoidance={{ fallbackAxisSide: 'none' }}
          className="z-50"
        >
          <Popover.Popup
            aria-label="Score"
            initialFocus={field}
            finalFocus={button}
            className={`${popupClass} max-h-[var(--available-height)] w-[min(28.75rem,calc(100vw-1rem))] overflow-y-auto p-4`}
          >
            <ScoreEditor field={field} onClose={onClose} />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
