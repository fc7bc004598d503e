import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useId, useState } from 'react';
import { counted } from '../numbers.ts';
import { none } from '../state/explorer-state.ts';
import { useExplorer, useLook } from './explorer-context.ts';
import { groupByPillar } from './search-groups.ts';
import { nearestHeld, SearchList } from './search-list.tsx';

type SearchProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  /** Somebody left the field for the place they looked for. */
  readonly onGone: () => void;
};

/**
 * As-you-type search. ↑ and ↓ light a hit where it lies without moving the picture; Enter goes there, ⇧Enter keeps the hits
 * alone. The last line shows them all in the picture.
 */
export function SearchBox({ field, onGone }: SearchProps) {
  const explorer = useExplorer();
  const text = useLook((state) => state.query);
  const found = useLook((state) => state.found);
  const failure = useLook((state) => state.searchFailure);
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const groups = groupByPillar(found?.hits ?? []);
  const flat = groups.flatMap((group) => group.hits);
  const more = (found?.total ?? 0) - flat.length;
  const lines = flat.length + (more > 0 ? 1 : 0);

  function preview(index: number): void {
    const at = (index + lines) % Math.max(1, lines);
    setActive(at);
    explorer.store.setState({ previewed: nearestHeld(explorer.tree, flat[at]) });
  }

  function close(): void {
    setOpen(false);
    setActive(0);
    explorer.store.setState({ previewed: none });
  }

  function choose(index: number): void {
    if (!found || index >= lines) return;
    close();
    onGone();
    const hit = flat[index];
    if (hit) void explorer.goToHit(found.hits.indexOf(hit));
    else explorer.focusOn(0);
  }

  function keepHits(): void {
    if (text.trim() === '') return;
    close();
    onGone();
    explorer.keepHits();
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') preview(isOpen ? active + 1 : 0);
    else if (event.key === 'ArrowUp') preview(active - 1);
    else if (event.key === 'Enter' && event.shiftKey) keepHits();
    else if (event.key === 'Enter') choose(active);
    else if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Escape') explorer.clearSearch();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const isShown = isOpen && text.trim() !== '' && (found !== undefined || failure !== undefined);
  const optionId = (index: number) => `${listId}-${index}`;
  return (
    <search
      className="relative w-full min-w-0 md:w-64 xl:w-72"
      onBlur={(event) => !event.currentTarget.contains(event.relatedTarget) && close()}
    >
      <Search
        size={16}
        aria-hidden="true"
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted"
      />
      <input
        ref={field}
        type="text"
        role="combobox"
        aria-label="Search keywords"
        aria-expanded={isShown}
        aria-controls={listId}
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
        onFocus={() => setOpen(true)}
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
          <X size={14} aria-hidden="true" />
        </button>
      )}
      <p role="status" className="sr-only">
        {isShown && found ? counted(found.total, 'match', 'matches') : ''}
      </p>
      <SearchList
        id={listId}
        optionId={optionId}
        isShown={isShown}
        groups={groups}
        more={more}
        active={active}
        onEnter={preview}
        onChoose={choose}
        onKeep={keepHits}
      />
    </search>
  );
}
