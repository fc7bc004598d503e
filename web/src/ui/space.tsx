import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type Props = { readonly title: string; readonly text: string; readonly children: ReactNode };

/** A starry page with a message and actions below it, for missing and failed pages. */
export function SpaceMessage({ title, text, children }: Props) {
  return (
    <div className="space flex min-h-[max(24rem,60dvh)] flex-1 flex-col items-center justify-center gap-3 px-4 py-12 text-center short:py-6">
      <StarAdrift />
      <h1 className="text-h1">{title}</h1>
      <p className="max-w-md text-balance text-body text-space-muted">{text}</p>
      <div className="mt-4 flex flex-col items-center gap-4">{children}</div>
    </div>
  );
}

/** Positions `[x, y]` of the background stars, in units of the drawing. */
const farStars = [
  [18, 30],
  [52, 96],
  [30, 132],
  [96, 18],
  [128, 118],
  [204, 40],
  [226, 96],
  [188, 150],
] as const;

/** The constellation of the logo, with one star that has drifted off the end of its line. */
function StarAdrift() {
  return (
    <svg viewBox="0 0 240 170" aria-hidden="true" className="mb-2 w-60 overflow-visible short:w-36">
      {farStars.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="1" className="fill-star-white opacity-50" />
      ))}
      <path d="M120 40 78 118" fill="none" strokeWidth="1.5" className="stroke-star-violet opacity-70" />
      <path
        d="M120 40l44 58 40 34"
        fill="none"
        strokeWidth="1.5"
        strokeDasharray="2 7"
        strokeLinecap="round"
        className="stroke-star-violet opacity-50"
      />
      <circle cx="120" cy="40" r="18" className="fill-star-gold opacity-10" />
      <circle cx="120" cy="40" r="8" className="fill-star-gold" />
      <circle cx="78" cy="118" r="6" className="fill-star-violet" />
      <circle cx="206" cy="134" r="14" className="fill-star-violet opacity-15" />
      <circle cx="206" cy="134" r="6" className="fill-star-violet" />
    </svg>
  );
}

/** The class of the primary button on a Space surface, which is dark in both themes. */
export const spaceButtonClass =
  'relative inline-flex h-11 items-center justify-center gap-2 rounded-control bg-(--space-action) px-5 text-body font-semibold text-space-0 no-underline motion transition duration-[80ms] hover:bg-(--space-action-hover) active:scale-[.99] disabled:opacity-60';

/** The class of a button on a Space surface that looks like a link. */
export const spaceLinkClass =
  'rounded-chip font-medium text-space-link underline-offset-4 hover:underline touch:min-h-11';

/** The logo: three stars joined by two lines, a parent and two children. */
export function Constellation({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={classNames('shrink-0', className)}>
      <path d="M16 8 7 24M16 8l10 13" fill="none" stroke="currentColor" strokeWidth="1.5" />
      <circle cx="16" cy="8" r="4.5" className="fill-[var(--mark-parent,#d99a1b)] dark:fill-star-gold" />
      <circle cx="7" cy="24" r="3.5" fill="currentColor" />
      <circle cx="26" cy="21" r="3.5" fill="currentColor" />
    </svg>
  );
}
