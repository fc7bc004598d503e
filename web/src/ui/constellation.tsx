import { classNames } from './class-names.ts';

type Props = { readonly className?: string; readonly adrift?: boolean };

/** Three stars joined by two lines: one parent, two children. `adrift` lets one child float away from its line. */
export function Constellation({ className, adrift = false }: Props) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" className={classNames('shrink-0 overflow-visible', className)}>
      <path d={adrift ? 'M16 8 7 24' : 'M16 8 7 24M16 8l10 13'} fill="none" stroke="currentColor" strokeWidth="1.5" />
      {adrift && <path d="M16 8l5 6.5" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="1 2" />}
      <circle cx="16" cy="8" r="4.5" className="fill-[var(--mark-parent,#d99a1b)] dark:fill-star-gold" />
      <circle cx="7" cy="24" r="3.5" fill="currentColor" />
      <circle cx={adrift ? 29 : 26} cy={adrift ? 26 : 21} r="3.5" fill="currentColor" />
    </svg>
  );
}
