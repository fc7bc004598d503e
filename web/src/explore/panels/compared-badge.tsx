import { Badge } from '../../ui/badge.tsx';

/** The number of a node in the comparison, beside its name. A screen reader reads it as part of the name. */
export function ComparedBadge({ number }: { readonly number: number }) {
  return (
    <Badge tone="brand" className="border border-brand">
      <span className="sr-only">, compared, number </span>
      {number}
    </Badge>
  );
}
