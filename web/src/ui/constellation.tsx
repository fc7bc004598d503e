import { classNames } from './class-names.ts';

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
