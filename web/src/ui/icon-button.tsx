import { Tooltip } from '@base-ui/react/tooltip';
import type { ComponentProps, ReactNode } from 'react';
import { iconButtonClass } from './button.tsx';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './popup.tsx';

type Props = Pick<
  ComponentProps<'button'>,
  'ref' | 'className' | 'onClick' | 'disabled' | 'aria-pressed' | 'aria-expanded'
> & {
  /** The accessible name, also shown as tooltip. */
  readonly label: string;
  readonly children: ReactNode;
  readonly size?: 'dense' | 'default';
};

const restMs = 300;
/** How long the pointer may take from the button to its tooltip. Source: WCAG 2.2, 1.4.13. */
const graceMs = 120;

/** A button without text. Its name is its tooltip. */
export function IconButton({ label, size = 'default', className, children, ...rest }: Props) {
  const container = useOverlayContainer();
  return (
    <Tooltip.Root>
      <Tooltip.Trigger
        delay={restMs}
        closeDelay={graceMs}
        // On the button itself: `disabled` of the trigger would only disable the tooltip.
        render={
          <button type="button" aria-label={label} className={classNames(iconButtonClass(size), className)} {...rest} />
        }
      >
        {children}
      </Tooltip.Trigger>
      <Tooltip.Portal container={container}>
        {/* A tooltip opened by focus may cover what the pointer is moving to. */}
        <Tooltip.Positioner
          side="bottom"
          sideOffset={6}
          collisionPadding={6}
          className="z-50 data-[instant=focus]:pointer-events-none"
        >
          <Tooltip.Popup className="motion max-w-72 rounded-chip bg-ink px-2 py-1 text-micro font-medium text-bg shadow-2 transition-opacity duration-150 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0">
            {label}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}
