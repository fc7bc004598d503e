import { Popover as Base } from '@base-ui/react/popover';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { Dialog } from './dialog.tsx';
import { popupClass, type Trigger, useClosedWithButton, useOverlayContainer } from './popup.tsx';

type PopoverProps = {
  readonly trigger: Trigger;
  /** The accessible name of the popover. */
  readonly label: string;
  /** The content, rendered while it is open; it can close the popover. */
  readonly children: (close: () => void) => ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly className?: string;
};

/** A popover behind a button. */
export function Popover(props: PopoverProps) {
  const { trigger, label, children, align = 'start', side = 'bottom', className } = props;
  const container = useOverlayContainer();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useClosedWithButton(button, isOpen, () => setOpen(false));
  return (
    <Base.Root modal="trap-focus" open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          // Content that is too tall scrolls, so that the popover does not cover its button.
          collisionAvoidance={{ fallbackAxisSide: 'none' }}
          className="z-50"
        >
          <Base.Popup
            aria-label={label}
            className={classNames(popupClass, 'max-h-[var(--available-height)] overflow-y-auto p-4', className)}
          >
            {children(() => setOpen(false))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type PanelProps = {
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
export function ButtonPanel({ label, button, isSmall, align, initialFocus, onClose, className, children }: PanelProps) {
  const container = useOverlayContainer();
  if (isSmall) {
    return (
      <Dialog open onOpenChange={(open) => !open && onClose()} title={label} place="bottom">
        {children}
      </Dialog>
    );
  }
  return (
    <Base.Root
      open
      modal="trap-focus"
      onOpenChange={(open, { event, reason }) => {
        // Closing the command palette moves the focus to the page, and the panel must stay open.
        if (reason === 'focus-out') return;
        // A press on the button toggles the panel by itself: closing here would open it again.
        if (!open && !(event.target instanceof Node && button.current?.contains(event.target))) onClose();
      }}
    >
      <Base.Portal container={container}>
        <Base.Positioner
          anchor={button}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          collisionAvoidance={{ fallbackAxisSide: 'none' }}
          className="z-50"
        >
          <Base.Popup
            aria-label={label}
            {...(initialFocus && { initialFocus })}
            finalFocus={button}
            className={classNames(popupClass, 'max-h-[var(--available-height)] overflow-y-auto p-4', className)}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
