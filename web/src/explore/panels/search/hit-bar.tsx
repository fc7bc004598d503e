import { ChevronLeft, ChevronRight } from 'lucide-react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { counted, exact } from '../../format/figure-text.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** Steps through the hits of a search, like N and ⇧N. */
export function HitBar() {
  const explorer = useExplorer();
  const found = useLook((state) => state.found);
  if (!found || found.total === 0) return null;
  const { total, at } = found;
  return (
    <section aria-label="Matches" className="flex shrink-0 items-center gap-1 text-micro text-muted">
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-[var(--highlight)]" />
      <span className="px-1 tabular-nums">
        {at === none ? counted(total, 'match', 'matches') : `${exact(at + 1)} of ${exact(total)}`}
      </span>
      <IconButton size="dense" label="Previous match" onClick={() => void explorer.stepHits(-1)}>
        <ChevronLeft size={16} aria-hidden="true" />
      </IconButton>
      <IconButton size="dense" label="Next match" onClick={() => void explorer.stepHits(1)}>
        <ChevronRight size={16} aria-hidden="true" />
      </IconButton>
    </section>
  );
}
