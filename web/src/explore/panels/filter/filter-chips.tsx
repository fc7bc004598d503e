import { type Filter, noFilter } from '@kc/pack/filter/filter';
import { partsOf } from '@kc/pack/filter-words/filter-parts';
import { say } from '@kc/rules/messages';
import { X } from 'lucide-react';
import { classNames } from '../../../ui/class-names.ts';
import { exact } from '../../format/figure-text.ts';
import { uploadMoment, useEarlier } from '../changes/use-uploads.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { useFilter, usePlaceNames } from './use-filter.ts';

/**
 * The active filter, above the chart: how much it keeps, then one removable chip per criterion, and one for the upload
 * that is compared with.
 */
export function FilterChips() {
  const { filter, change } = useFilter();
  const isFiltered = useLook((state) => state.filter !== '' || Boolean(state.filtering));
  const isCompared = useLook((state) => state.vs !== undefined);
  const isComing = useLook((state) => state.filtering !== undefined);
  return (
    <section
      aria-label={isFiltered ? 'Active filters' : 'Compared upload'}
      aria-busy={isComing}
      className="relative shrink-0 overflow-hidden border-b border-line bg-surface"
    >
      <div className="cut-softly flex items-center gap-2 overflow-x-auto px-3 py-1.5 text-small [scrollbar-width:none]">
        {isFiltered && <Kept />}
        {isFiltered && <Chips filter={filter} change={change} />}
        {isCompared && <ComparedChip />}
        {isFiltered && <ClearAll />}
      </div>
      {isComing && <Coming />}
    </section>
  );
}

type ChipsProps = { readonly filter: Filter; readonly change: (next: Filter) => void; readonly wraps?: boolean };

function Chips({ filter, change, wraps = false }: ChipsProps) {
  const placeName = usePlaceNames(filter);
  return (
    <ul className={classNames('m-0 flex list-none items-center gap-2 p-0', wraps && 'flex-wrap justify-center')}>
      {partsOf(filter, placeName).map(({ text, without, place }) => (
        <li key={place ?? text} className="min-w-0">
          <button
            type="button"
            aria-label={`Remove filter: ${text}`}
            onClick={() => change(without)}
            className="flex min-h-7 max-w-full items-center gap-1 rounded-full border border-line bg-brand-soft pr-2 pl-3 text-left text-small text-brand-ink hover:border-brand touch:min-h-11"
          >
            <span className={wraps ? 'min-w-0 break-words' : 'max-w-64 truncate'}>{text}</span>
            <X size={14} strokeWidth={2} className="shrink-0" />
          </button>
        </li>
      ))}
    </ul>
  );
}

function ClearAll() {
  const { change } = useFilter();
  const explorer = useExplorer();
  return (
    <button
      type="button"
      onClick={() => {
        change(noFilter);
        explorer.stopComparingUploads();
      }}
      className="h-7 shrink-0 rounded-chip px-2 whitespace-nowrap text-brand-ink hover:underline touch:h-11"
    >
      Clear all
    </button>
  );
}

/** "1,204 of 18,618 keywords" */
function Kept() {
  const { tree } = useExplorer();
  useLook((state) => state.treeVersion);
  if (tree.size === 0) return null;
  return (
    <p className="m-0 shrink-0 whitespace-nowrap text-muted">
      <span className="font-semibold text-ink">{exact(tree.keywords[0])}</span> of {exact(tree.ofKeywords[0])} keywords
    </p>
  );
}

/** An inline progress message. It appears after 300 ms, so that quick changes show nothing. */
function Coming() {
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute bottom-0 left-0 h-0.5 w-1/3 animate-[sweep_1.2s_300ms_infinite_both] bg-brand"
    />
  );
}

/** Replaces the chart when the filter keeps nothing. */
export function NothingKept() {
  const { filter, change } = useFilter();
  return (
    <div className="absolute inset-0 z-10 grid place-items-center overflow-y-auto bg-canvas p-4">
      <div className="flex max-w-md flex-col items-center gap-4 rounded-card border border-line bg-surface p-6 text-center shadow-1">
        <p className="m-0 text-h2">{say('explore/filter-empty')}</p>
        <Chips filter={filter} change={change} wraps />
        <ClearAll />
      </div>
    </div>
  );
}

/** "Compared with Jan 12, 2026 ✕", among the chips of the filter. */
function ComparedChip() {
  const explorer = useExplorer();
  const text = `Compared with ${uploadMoment(useEarlier())}`;
  return (
    <button
      type="button"
      aria-label={`Stop comparing: ${text}`}
      onClick={explorer.stopComparingUploads}
      className="flex min-h-7 shrink-0 items-center gap-1 rounded-full border border-line bg-info-soft pr-2 pl-3 text-small whitespace-nowrap text-info hover:border-brand touch:min-h-11"
    >
      {text}
      <X size={14} strokeWidth={2} className="shrink-0" />
    </button>
  );
}
