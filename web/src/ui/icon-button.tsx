import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useTooltip } from './tooltip.tsx';

type Props = Pick<
  ComponentProps<'button'>,
  'ref' | 'className' | 'onClick' | 'disabled' | 'aria-pressed' | 'aria-expanded'
> & {
  /** The accessible name, also shown as tooltip. */
  readonly label: string;
  readonly children: ReactNode;
  readonly size?: 'dense' | 'default';
};

/** The class of an icon button, for menu and popover triggers. */
export function iconButtonClass(size: 'dense' | 'default' = 'default'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center rounded-control text-muted motion transition duration-[80ms]',
    'hover:bg-sunken hover:text-ink active:brightness-95 aria-pressed:bg-brand-soft aria-pressed:text-brand-ink',
    'disabled:pointer-events-none disabled:opacity-50',
    size === 'dense' ? 'size-8 touch:size-11' : 'size-10 touch:size-11',
  );
}

export function IconButton({ label, size = 'default', className, children, ...rest }: Props) {
  const { holders, tooltip } = useTooltip(label);
  return (
    <>
      <button
        type="button"
        aria-label={label}
        className={classNames(iconButtonClass(size), className)}
        {...rest}
        {...holders}
      >
        {children}
      </button>
      {tooltip}
    </>
  );
}
