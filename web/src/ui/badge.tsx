import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'brand' | 'ok' | 'warn' | 'bad' | 'info';

const tones: Readonly<Record<Tone, string>> = {
  neutral: 'bg-sunken text-muted',
  brand: 'bg-brand-soft text-brand-ink',
  ok: 'bg-ok-soft text-ok',
  warn: 'bg-warn-soft text-warn',
  bad: 'bg-bad-soft text-bad',
  info: 'bg-info-soft text-info',
};

const dots: Readonly<Record<Tone, string>> = {
  neutral: 'bg-muted',
  brand: 'bg-brand',
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  info: 'bg-info',
};

type Props = {
  readonly tone?: Tone;
  readonly dot?: boolean;
  readonly children: ReactNode;
  readonly className?: string;
};

/** A short label or number about the item beside it. */
export function Badge({ tone = 'neutral', dot = false, children, className }: Props) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 min-w-5 shrink-0 items-center justify-center gap-1.5 whitespace-nowrap rounded-full px-2 text-micro font-medium',
        tones[tone],
        className,
      )}
    >
      {dot && <Dot tone={tone} />}
      {children}
    </span>
  );
}

export function Dot({ tone }: { readonly tone: Tone }) {
  return <span aria-hidden className={classNames('size-2 shrink-0 rounded-full', dots[tone])} />;
}
