import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './overlay-region.tsx';
import { popupClass } from './popup-style.ts';

type Props = {
  readonly trigger: ReactElement;
  /** The accessible name of the popover. */
  readonly label: string;
  readonly children: ReactNode;
  readonly open?: boolean;
  readonly onOpenChange?: (open: boolean) => void;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly className?: string;
};

export function Popover(props: Props) {
  const { trigger, label, children, open, onOpenChange, align = 'start', side = 'bottom', className } = props;
  const container = useOverlayContainer();
  return (
    <Base.Root
      modal="trap-focus"
      {...(open === undefined ? {} : { open })}
      {...(onOpenChange ? { onOpenChange: (next: boolean) => onOpenChange(next) } : {})}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner align={align} side={side} sideOffset={6} collisionPadding={8} className="z-50">
          <Base.Popup
            aria-label={label}
            className={classNames(popupClass, 'max-h-[var(--available-height)] overflow-y-auto p-4', className)}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
