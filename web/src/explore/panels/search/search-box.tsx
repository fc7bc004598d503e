import type { SearchHit } from '@kc/rules/shapes';
import { ChevronLeft, ChevronRight, Search, X } from 'lucide-react';
import { type KeyboardEvent, lazy, type RefObject, useContext, useEffect, useId, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { IconButton } from '../../../ui/icon-button.tsx';
import { addsTo } from '../../../ui/keys.ts';
import { LazyBoundary } from '../../../ui/lazy-boundary.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { counted, exact } from '../../format/figure-text.ts';
import { groupByPillar } from '../../model/search-results.ts';
import { none } from '../../tree-data/columns.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { ExplorerPartsContext, useExplorer, useLook, useLooks } from '../explorer-context.ts';

const loadList = async () => ({ default: (await import('./search-list.tsx')).SearchList });
const SearchList = lazy(loadList);

type SearchProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  /** The chart that highlights hits; undefined if there is none. */
  readonly stage: Stage | undefined;
  /** Called when the user leaves the field for a hit. */
  readonly onGone: () => void;
  /** Whether it shares one bar with everything else. */
  readonly isNarrow?: boolean;
};

/**
 * Search as you type. ↑ and ↓ highlight a hit without moving the chart. Enter goes to it; ⇧Enter filters to the hits.
 * The last row shows all hits in the chart.
 */
export function SearchBox({ field, stage, onGone, isNarrow = false }: SearchProps) {
  const explorer = useExplorer();
  const { query: text, searchResults, searchFailure: failure } = useLooks('query', 'searchResults', 'searchFailure');
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const groups = groupByPillar(searchResults?.hits ?? []);
  const flat = groups.flatMap((group) => group.hits);
  const more = (searchResults?.total ?? 0) - flat.length;
  const unplaced = searchResults?.notInHierarchy ?? 0;
  const ticks = useContext(ExplorerPartsContext).useHitTicks?.();
  const lines = flat.length + (more > 0 ? 1 : 0) + (unplaced > 0 ? 1 : 0);

  const isShown = isOpen && text.trim() !== '' && (searchResults !== undefined || failure !== undefined);
  const treeVersion = useLook((state) => state.treeVersion);
  const { store, tree } = explorer;
  const hit = isShown ? flat[active] : undefined;
  const hitNode = hit?.node;
  // Highlight the active hit, or its nearest loaded ancestor as more of its path loads.
  // biome-ignore lint/correctness/useExhaustiveDependencies: hitNode and treeVersion cover hit and tree
  useEffect(() => {
    store.setState({ previewed: nearestLoaded(tree, hit) });
  }, [store, tree, hitNode, treeVersion]);

  const preview = (index: number) => setActive((index + lines) % Math.max(1, lines));

  function close(): void {
    setOpen(false);
    setActive(0);
  }

  function choose(index: number): void {
    if (!searchResults || index >= lines) return;
    close();
    onGone();
    const hit = flat[index];
    if (hit) void explorer.goToHit(searchResults.hits.indexOf(hit));
    else if (unplaced > 0 && index === lines - 1) store.setState({ unplacedQuery: searchResults.text });
    else explorer.focusOn(0);
  }

  function toggle(index: number): void {
    const hit = flat[index];
    if (hit) ticks?.toggle(hit.node);
  }

  function keepHits(): void {
    if (text.trim() === '') return;
    close();
    onGone();
    void explorer.keepHits();
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') preview(isOpen ? active + 1 : 0);
    else if (event.key === 'ArrowUp') preview(active - 1);
    else if (event.key === 'Enter' && event.shiftKey) keepHits();
    else if (event.key === 'Enter' && addsTo(event) && ticks) toggle(active);
    else if (event.key === 'Enter') choose(active);
    else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Escape') explorer.clearSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <search
      className={classNames('relative w-full min-w-0 md:w-44', !isNarrow && 'lg:w-64 xl:w-72')}
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <Search
        size={16}
        strokeWidth={2}
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
      />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search keywords"
        aria-expanded={isShown}
        aria-controls={isShown ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={isShown && active < lines ? optionId(active) : undefined}
        placeholder="Search"
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        value={text}
        onChange={(event) => {
          explorer.store.setState({ query: event.target.value });
          setOpen(true);
          setActive(0);
        }}
        onFocus={() => {
          setOpen(true);
          // Preload the list before there are results.
          loadList().catch(() => undefined);
        }}
        onKeyDown={press}
        className="h-8 w-full rounded-control border border-line-strong bg-surface pr-9 pl-8 text-small text-ink placeholder:text-muted touch:h-11 touch:text-touch"
      />
      {text === '' ? (
        <kbd className="pointer-events-none absolute top-1/2 right-2 -translate-y-1/2 rounded-chip border border-line px-1.5 font-mono text-micro text-muted touch:hidden">
          /
        </kbd>
      ) : (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            explorer.clearSearch();
            field.current?.focus();
          }}
          className="absolute top-1/2 right-1 flex size-6 -translate-y-1/2 items-center justify-center rounded-chip text-muted hover:bg-sunken touch:size-9"
        >
          <X size={14} strokeWidth={2} />
        </button>
      )}
      <p role="status" className="sr-only">
        {isShown && searchResults ? counted(searchResults.total, 'match', 'matches') : ''}
        {isShown && unplaced > 0 ? `, ${counted(unplaced, 'match', 'matches')} not in the hierarchy` : ''}
      </p>
      <LazyBoundary>
        {isShown && (
          <SearchList
            id={listId}
            optionId={optionId}
            groups={groups}
            more={more}
            unplaced={unplaced}
            active={active}
            lit={hit && stage && litNote(explorer.tree, stage, hit)}
            ticks={ticks}
            onEnter={preview}
            onChoose={choose}
            onKeep={keepHits}
          />
        )}
      </LazyBoundary>
    </search>
  );
}

/** The hit, or its nearest loaded ancestor. */
function nearestLoaded(tree: LoadedTree, hit: SearchHit | undefined): number {
  if (!hit) return none;
  const rows = [...hit.path, hit].map(({ node }) => tree.rowOf(node));
  return rows.findLast((row) => row !== none) ?? none;
}

/** Names the mark that represents a hit without a mark of its own. */
function litNote(tree: LoadedTree, stage: Stage, hit: SearchHit): string | undefined {
  const lit = stage.litFor(nearestLoaded(tree, hit));
  if (!lit) return 'Not in sight';
  if (lit.isTail) return `Among the smaller ones of ${tree.name(lit.row)}`;
  return tree.node[lit.row] === hit.node ? undefined : `Inside ${tree.name(lit.row)}`;
}

/** Steps through the hits of a search, like N and ⇧N. */
export function HitBar() {
  const explorer = useExplorer();
  const found = useLook((state) => state.searchResults);
  if (!found || found.total === 0) return null;
  const { total, index } = found;
  return (
    <section aria-label="Matches" className="flex shrink-0 items-center gap-1 text-micro text-muted">
      <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-[var(--highlight)]" />
      <span className="px-1 tabular-nums">
        {index === none ? counted(total, 'match', 'matches') : `${exact(index + 1)} of ${exact(total)}`}
      </span>
      <IconButton size="dense" label="Previous match" onClick={() => void explorer.stepHits(-1)}>
        <ChevronLeft size={16} strokeWidth={2} />
      </IconButton>
      <IconButton size="dense" label="Next match" onClick={() => void explorer.stepHits(1)}>
        <ChevronRight size={16} strokeWidth={2} />
      </IconButton>
    </section>
  );
}
