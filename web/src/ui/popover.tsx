import type { PopoverProps } from './opened-popover.tsx';
import { useLazyPopup } from './popup.tsx';

/** A popover behind a button. */
export function Popover(props: PopoverProps) {
  const popover = useLazyPopup(props.trigger, 'dialog', () => import('./opened-popover.tsx'));
  if ('closed' in popover) return popover.closed;
  return <popover.part.OpenedPopover {...props} />;
}
