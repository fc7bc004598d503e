import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger-ghost' | 'danger' | 'approve';
/** `dense` 32 px for tables, `default` 40, `large` 44; touch screens get 44 throughout. */
export type ButtonSize = 'dense' | 'default' | 'large';

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: 'bg-brand text-on-brand hover:bg-brand-hover',
  secondary: 'border border-line-strong bg-surface text-ink hover:bg-sunken',
  ghost: 'text-ink hover:bg-sunken',
  'danger-ghost': 'text-bad hover:bg-bad-soft',
  danger: 'border border-bad bg-surface text-bad hover:bg-bad-soft',
  approve: 'border border-ok bg-surface text-ok hover:bg-ok-soft',
};

const sizes: Readonly<Record<ButtonSize, string>> = {
  dense: 'h-8 gap-1.5 px-3 text-small touch:h-11',
  default: 'h-10 gap-2 px-4 text-body touch:h-11',
  large: 'h-11 gap-2 px-5 text-body',
};

/** The class of a button, for links that look like one. */
export function buttonClass(variant: ButtonVariant = 'secondary', size: ButtonSize = 'default'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center whitespace-nowrap rounded-control font-medium no-underline',
    'motion transition duration-[80ms] active:brightness-95 disabled:pointer-events-none disabled:opacity-50',
    'aria-disabled:cursor-not-allowed aria-disabled:opacity-50',
    variants[variant],
    sizes[size],
  );
}

type Props = ComponentProps<'button'> & {
  readonly variant?: ButtonVariant;
  readonly size?: ButtonSize;
  /** Shown before the label, 18 px. */
  readonly icon?: ReactNode;
};

export function Button({ variant, size, icon, className, children, type = 'button', ...rest }: Props) {
  return (
    <button type={type} className={classNames(buttonClass(variant, size), className)} {...rest}>
      {icon}
      {children}
    </button>
  );
}

/** The class of an icon button, for menu and popover triggers. */
export function iconButtonClass(size: 'dense' | 'default' = 'default'): string {
  return classNames(
    'inline-flex shrink-0 items-center justify-center rounded-control text-muted motion transition duration-[80ms]',
    'hover:bg-sunken hover:text-ink active:brightness-95 aria-pressed:bg-brand-soft aria-pressed:text-brand-ink',
    'disabled:pointer-events-none disabled:opacity-50',
    size === 'dense' ? 'size-8 touch:size-11' : 'size-10 touch:size-11',
  );
}
