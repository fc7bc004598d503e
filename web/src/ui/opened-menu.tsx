import { Menu as Base } from '@base-ui/react/menu';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { popupClass, type Trigger, useClosedWithButton, useOverlayContainer } from './popup.tsx';

export type MenuProps = {
  /** The button that opens the menu. */
  readonly trigger: Trigger;
  readonly children: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  /** Extra class of the popup, such as its width. */
  readonly className?: string;
};

/** The components of the menu's items. */
export const parts = { Item: Base.Item, Separator: Base.Separator };

type OpenedProps = MenuProps & {
  /** Whether it was first opened by keyboard. */
  readonly byKey: boolean;
};

/** A loaded menu: open when first rendered. */
export function OpenedMenu({ trigger, children, align = 'start', side = 'bottom', className, byKey }: OpenedProps) {
  const container = useOverlayContainer();
  const popup = useRef<HTMLDivElement>(null);
  // From the second time on, Base UI detects the keyboard itself.
  useEffect(() => {
    if (!byKey) return;
    const frame = requestAnimationFrame(() => popup.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus());
    return () => cancelAnimationFrame(frame);
  }, [byKey]);
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(true);
  useClosedWithButton(button, isOpen, () => setOpen(false));
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => setOpen(next)}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner align={align} side={side} sideOffset={6} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
            ref={popup}
            className={classNames(
              popupClass,
              'max-h-[var(--available-height)] min-w-44 overflow-y-auto p-1.5',
              className,
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
