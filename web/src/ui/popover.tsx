import { Popover as Base } from '@base-ui/react/popover';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { Dialog } from './dialog.tsx';
import { useIsSmall } from './environment.ts';
import { popupClass, type Trigger, useClosedWithButton, useOverlayContainer } from './popup.tsx';

type PopoverProps = {
  readonly trigger: Trigger;
  /** The accessible name of the popover. */
  readonly label: string;
  /** The content, rendered while it is open; it can close the popover. */
  readonly children: (close: () => void) => ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly className?: string;
};

/** A popover behind a button. */
export function Popover(props: PopoverProps) {
  const { trigger, label, children, align = 'start', className } = props;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  useClosedWithButton(button, isOpen, () => setOpen(false));
  return (
    <Base.Root modal="trap-focus" open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger ref={button} render={trigger} />
      <Card label={label} className={className} positioner={{ align }}>
        {children(() => setOpen(false))}
      </Card>
    </Base.Root>
  );
}

type PanelProps = {
  readonly label: string;
  /** The button that opens it, and gets the focus back. */
  readonly button: RefObject<HTMLElement | null>;
  readonly align: 'start' | 'end';
  /** What has the focus first; by default the first control. */
  readonly initialFocus?: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
  readonly className?: string;
  readonly children: ReactNode;
};

/** An open panel beside a button that toggles it, or a sheet at the bottom of a small screen. */
export function ButtonPanel({ label, button, align, initialFocus, onClose, className, children }: PanelProps) {
  const isSmall = useIsSmall();
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
      <Card
        label={label}
        className={className}
        positioner={{ anchor: button, align }}
        popup={{ finalFocus: button, ...(initialFocus && { initialFocus }) }}
      >
        {children}
      </Card>
    </Base.Root>
  );
}

type CardProps = {
  readonly label: string;
  readonly className: string | undefined;
  readonly positioner: Base.Positioner.Props;
  readonly popup?: Base.Popup.Props;
  readonly children: ReactNode;
};

/** What opens. Content that is too tall scrolls, so that it does not cover the button. */
function Card({ label, className, positioner, popup, children }: CardProps) {
  return (
    <Base.Portal container={useOverlayContainer()}>
      <Base.Positioner
        sideOffset={6}
        collisionPadding={8}
        collisionAvoidance={{ fallbackAxisSide: 'none' }}
        className="z-50"
        {...positioner}
      >
        <Base.Popup
          aria-label={label}
          className={classNames(popupClass, 'max-h-[var(--available-height)] overflow-y-auto p-4', className)}
          {...popup}
        >
          {children}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}
