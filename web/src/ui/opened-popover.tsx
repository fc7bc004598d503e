import { Popover as Base } from '@base-ui/react/popover';
import { useState } from 'react';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './overlay-region.tsx';
import type { PopoverProps } from './popover.tsx';
import { popupClass } from './popup-style.ts';

/** A popover that has been asked for: it is open when it is drawn first. */
export function OpenedPopover(props: PopoverProps) {
  const { trigger, label, children, align = 'start', side = 'bottom', className } = props;
  const container = useOverlayContainer();
  const [isOpen, setOpen] = useState(true);
  return (
    <Base.Root modal="trap-focus" open={isOpen} onOpenChange={setOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={8}
          // What is too tall scrolls; it does not go beside its button, over what is there.
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
