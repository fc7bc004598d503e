import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useOverlayContainer } from './overlay-region.tsx';
import { popupClass, popupItemClass } from './popup-style.ts';

type MenuProps = {
  /** The button that opens the menu. */
  readonly trigger: ReactElement;
  readonly children: ReactNode;
  readonly align?: 'start' | 'center' | 'end';
  readonly side?: 'top' | 'bottom' | 'left' | 'right';
  /** Width and the like of the popup. */
  readonly className?: string;
  /** Whether it is open as soon as it is drawn. */
  readonly defaultOpen?: boolean;
};

export function Menu({
  trigger,
  children,
  align = 'start',
  side = 'bottom',
  className,
  defaultOpen = false,
}: MenuProps) {
  const container = useOverlayContainer();
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={container}>
        <Base.Positioner align={align} side={side} sideOffset={6} collisionPadding={8} className="z-50 outline-none">
          <Base.Popup
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
  readonly children: ReactNode;
  readonly onSelect?: () => void;
  readonly disabled?: boolean;
  /** A link to draw instead of a plain item. */
  readonly render?: ReactElement;
};

export function MenuItem({ icon, children, onSelect, disabled = false, render }: ItemProps) {
  return (
    <Base.Item className={popupItemClass} onClick={onSelect} disabled={disabled} {...(render ? { render } : {})}>
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
    </Base.Item>
  );
}

type ChoiceProps<T extends string> = {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly disabled?: boolean }[];
  readonly onChange: (value: T) => void;
};

/** A group of a menu of which one item is chosen. */
export function MenuChoice<T extends string>({ label, value, options, onChange }: ChoiceProps<T>) {
  return (
    <Base.RadioGroup value={value} onValueChange={(next: T) => onChange(next)} aria-label={label}>
      {options.map((option) => (
        <Base.RadioItem
          key={option.value}
          value={option.value}
          disabled={option.disabled ?? false}
          closeOnClick
          className={popupItemClass}
        >
          <span className="flex-1 truncate">{option.label}</span>
          <Base.RadioItemIndicator className="text-brand">✓</Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="mx-1 my-1.5 h-px bg-line" />;
}
