import type { Filter } from '@kc/pack/filter/filter';
import { type ReactNode, useState } from 'react';
import { Disclosure } from '../section.tsx';

type Props = {
  readonly title: string;
  /** A summary of the criterion, beside the title. */
  readonly summary: string;
  /** Whether the criterion is set. It is then open initially. */
  readonly isUsed: boolean;
  readonly children: ReactNode;
};

/** A collapsible criterion. */
export function FilterDisclosure({ title, summary, isUsed, children }: Props) {
  const [isOpen, setOpen] = useState(isUsed);
  return (
    <Disclosure
      isOpen={isOpen}
      setOpen={setOpen}
      className="border-t border-line"
      headClassName="min-h-9 hover:text-brand-ink"
      bodyClassName="pt-1 pb-3 text-small"
      heading={
        <>
          <span dir="auto" className="min-w-0 flex-1 truncate text-left font-semibold">
            {title}
          </span>
          {summary !== '' && (
            <span className="max-w-48 truncate rounded-full bg-brand-soft px-2 text-micro text-brand-ink">
              {summary}
            </span>
          )}
        </>
      }
    >
      {children}
    </Disclosure>
  );
}

export type FilterProps = {
  /** The requested filter, applied or still loading. */
  readonly filter: Filter;
  /** Requests another filter, by default at once: `settleMs` debounces it. If it is refused, `tell` or a notice says why. */
  readonly change: (next: Filter, settleMs?: number, onFailure?: (why: string) => void) => void;
};

/** Debounce while typing, in milliseconds. */
export const typingMs = 300;
/** Debounce while a bound is dragged or typed, in milliseconds. */
export const movingMs = 150;

/** A labelled group of choices of one kind. */
export function FilterGroup({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <fieldset className="m-0 min-w-0 border-0 p-0 text-small">
      <legend className="mb-1 p-0 font-semibold">{title}</legend>
      {note && <p className="m-0 mb-1 text-micro text-muted">{note}</p>}
      {children}
    </fieldset>
  );
}
