import { Popover as Base } from '@base-ui/react/popover';
import { type ReactNode, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
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
