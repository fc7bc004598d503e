import type { ReactNode } from 'react';
import { type Trigger, useLazyPopup } from './lazy-popup.tsx';

export type PopoverProps = {
  readonly trigger: Trigger;
  /** The accessible name of the popover. */
  readonly label: string;
  /** What is in it, drawn while it is open; it may close itself. */
  readonly children: (close: () => void) => ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  readonly className?: string;
};

/** Anything behind a button. */
export function Popover(props: PopoverProps) {
  const popover = useLazyPopup(props.trigger, 'dialog', () => import('./opened-popover.tsx'));
  if ('closed' in popover) return popover.closed;
  return <popover.part.OpenedPopover {...props} />;
}
