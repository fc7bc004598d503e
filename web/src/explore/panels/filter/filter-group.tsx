import type { Filter } from '@kc/pack/filter/filter';
import type { ReactNode } from 'react';

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
