import { Popover } from '@base-ui/react/popover';
import type { ReactNode, RefObject } from 'react';
import { classNames } from './class-names.ts';
import { Dialog } from './dialog.tsx';
import { popupClass, useOverlayContainer } from './popup.tsx';

type Props = {
  readonly label: string;
  /** The button that opens it, and gets the focus back. */
  readonly button: RefObject<HTMLElement | null>;
  readonly isSmall: boolean;
  readonly align: 'start' | 'end';
  /** What has the focus first; by default the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
};

/** An open panel beside a button that toggles it, or a sheet at the bottom of a small screen. */
export function ButtonPanel({ label, button, isSmall, align, initialFocus, onClose, className, children }: Props) {
  const container = useOverlayContainer();
  if (isSmall) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title={label} place="bottom">
        {children}
      </Dialog>
    );
  }
  return (
    <Popover.Root
      open
      modal="trap-focus"
      onOpenChange={(open, { event, reason }) => {
        // Closing the command palette moves the focus to the page, and the panel must stay open.
        if (reason === 'focus-out') return;
        // A press on the button toggles the panel by itself: closing here would open it again.
        if (!open && !(event.target instanceof Node && button.current?.contains(event.target))) onClose();
      }}
    >
      <Popover.Portal container={container}>
        <Popover.Positioner
          anchor={button}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          collisionAvoidance={{ fallbackAxisSide: 'none' }}
          className="z-50"
        >
          <Popover.Popup
            aria-label={label}
            {...(initialFocus && { initialFocus })}
            finalFocus={button}
            className={classNames(popupClass, 'max-h-[var(--available-height)] overflow-y-auto p-4', className)}
          >
            {children}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
