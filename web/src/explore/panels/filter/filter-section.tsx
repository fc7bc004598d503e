import type { Filter } from '@kc/pack/filter/filter';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';

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
  const id = useId();
  return (
    <section className="border-t border-line text-small">
      <h3 className="m-0 text-small">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={() => setOpen(!isOpen)}
          className="flex min-h-9 w-full items-center gap-2 text-left hover:text-brand-ink touch:min-h-11"
        >
          <ChevronDown
            size={14}
            aria-hidden="true"
            className={classNames('motion shrink-0 transition-transform duration-150', !isOpen && '-rotate-90')}
          />
          <span dir="auto" className="min-w-0 flex-1 truncate text-left font-semibold">
            {title}
          </span>
          {summary !== '' && (
            <span className="max-w-48 truncate rounded-full bg-brand-soft px-2 text-micro text-brand-ink">
              {summary}
            </span>
          )}
        </button>
      </h3>
      <div id={id} className={isOpen ? 'pt-1 pb-3' : undefined}>
        {isOpen && children}
      </div>
    </section>
  );
}

export type FilterProps = {
  readonly filter: Filter;
  readonly change: (next: Filter, settleMs?: number) => void;
};

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
