import { Menu as Base } from '@base-ui/react/menu';
import { type ReactElement, type ReactNode, useRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { popupClass, popupItemClass, type Trigger, useClosedWithButton, useOverlayContainer } from './popup.tsx';

type Props = {
  /** The button that opens the menu. */
  readonly trigger: Trigger;
  /** Rendered while the menu is open. */
  readonly children: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  /** Extra class of the popup, such as its width. */
  readonly className?: string;
} & (Controlled | { readonly [Prop in keyof Controlled]?: never });

/** For a menu whose open state is controlled from outside, as while its button is replaced. */
type Controlled = { readonly open: boolean; readonly onOpenChange: (open: boolean) => void };

/** A menu behind a button. */
export function Menu({ trigger, children, align = 'start', side = 'bottom', className, open, onOpenChange }: Props) {
  const container = useOverlayContainer();
  const button = useRef<HTMLButtonElement>(null);
  const [own, setOwn] = useState(false);
  const [isOpen, setOpen] = [open ?? own, onOpenChange ?? setOwn];
  useClosedWithButton(button, isOpen, () => setOpen(false));
  return (
    <Base.Root open={isOpen} onOpenChange={(next) => setOpen(next)}>
      <Base.Trigger ref={button} render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner align={align} side={side} sideOffset={6} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
            // A button that has replaced the one before did not have the focus when the menu opened.
            {...(open !== undefined && { finalFocus: button })}
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

type ItemProps = {
  readonly icon?: ReactNode;
  /** The keys that do the same, such as ⇧S. */
  readonly keys?: string;
  readonly children: ReactNode;
  readonly onSelect?: () => void;
  readonly disabled?: boolean;
  /** A link to render instead of a plain item. */
  readonly render?: ReactElement;
};

export function MenuItem({ icon, keys, children, onSelect, disabled = false, render }: ItemProps) {
  return (
    <Base.Item className={popupItemClass} onClick={onSelect} disabled={disabled} {...(render ? { render } : {})}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {keys && (
        <span aria-hidden="true" className="text-micro text-muted touch:hidden">
          {keys}
        </span>
      )}
    </Base.Item>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1.5 h-px bg-line" />;
}
