import { say } from '@kc/rules/messages';
import type { SearchHit } from '@kc/rules/shapes';
import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { counted, exact, isKnown } from '../numbers.ts';
import { none } from '../state/explorer-state.ts';
import { useExplorer, useLook } from './explorer-context.ts';
import { groupByPillar, markMatches } from './search-groups.ts';

const shownHits = 50;
const typingMs = 150;

type SearchProps = {
  readonly field: RefObject<HTMLInputElement | null>;
  /** Somebody left the field for the place they looked for. */
  readonly onGone: () => void;
};

/** As-you-type search. ↑ and ↓ light a hit where it lies without moving the picture; Enter goes there. */
export function SearchBox({ field, onGone }: SearchProps) {
  const explorer = useExplorer();
  const text = useLook((state) => state.query);
  const filter = useLook((state) => state.filter);
  const listId = useId();
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const asked = useLater(text.trim(), typingMs);
  const found = useQuery({
    queryKey: ['search', explorer.id, asked, filter],
    queryFn: ({ signal }) => explorer.source.search(asked, shownHits, filter, signal),
    enabled: asked !== '',
    placeholderData: (before) => (asked === '' ? undefined : before),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const hits = asked === '' ? undefined : found.data;
  const groups = groupByPillar(hits?.hits ?? []);
  const flat = groups.flatMap((group) => group.hits);

  useEffect(() => {
    const rows = (hits?.hits ?? []).map((hit) => explorer.tree.rowOf(hit.node)).filter((row) => row !== none);
    explorer.store.setState({ hits: new Set(rows) });
  }, [hits, explorer]);

  function preview(index: number): void {
    const at = (index + flat.length) % Math.max(1, flat.length);
    setActive(at);
    explorer.store.setState({ previewed: nearestHeld(flat[at]) });
  }

  /** The hit, or what is held of the way to it. */
  function nearestHeld(hit: SearchHit | undefined): number {
    if (!hit) return none;
    const rows = [...hit.path, hit].map(({ node }) => explorer.tree.rowOf(node));
    return rows.findLast((row) => row !== none) ?? none;
  }

  function close(): void {
    setOpen(false);
    setActive(0);
    explorer.store.setState({ previewed: none });
  }

  function go(hit: SearchHit | undefined): void {
    if (!hit) return;
    close();
    onGone();
    void explorer.goTo([...hit.path.map((place) => place.node), hit.node]);
  }

  function press(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') preview(isOpen ? active + 1 : 0);
    else if (event.key === 'ArrowUp') preview(active - 1);
    else if (event.key === 'Enter') go(flat[active]);
    else if (event.key === 'Escape') leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function leave(): void {
    if (isOpen) close();
    else explorer.store.setState({ query: '', hits: new Set() });
  }

  const isShown = isOpen && asked !== '';
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
        aria-activedescendant={isShown && flat[active] ? optionId(active) : undefined}
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
            explorer.store.setState({ query: '', hits: new Set() });
            field.current?.focus();
          }}
          className="absolute top-1/2 right-1 flex size-6 -translate-y-1/2 items-center justify-center rounded-chip text-muted hover:bg-sunken touch:size-9"
        >
          <X size={14} aria-hidden="true" />
        </button>
      )}
      <p role="status" className="sr-only">
        {isShown && hits ? counted(hits.total, 'match', 'matches') : ''}
      </p>
      <div
        id={listId}
        role="listbox"
        aria-label="Matches"
        tabIndex={-1}
        hidden={!isShown}
        className="absolute top-full right-0 z-40 mt-1.5 max-h-[min(28rem,70dvh)] w-full min-w-72 overflow-y-auto rounded-card border border-line bg-surface p-1.5 shadow-2 md:w-96"
      >
        {found.isError && <Line>{say('explore/search-failed')}</Line>}
        {hits?.total === 0 && <Line>{say('explore/no-match', { query: asked })}</Line>}
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot stand in a listbox
          <div key={group.pillar} role="group" aria-label={group.pillar}>
            <p role="presentation" className="m-0 px-2.5 pt-2 pb-1 text-micro font-semibold text-muted">
              {group.pillar} · {exact(group.hits.length)}
            </p>
            {group.hits.map((hit) => {
              const index = flat.indexOf(hit);
              return (
                <Option
                  key={hit.node}
                  id={optionId(index)}
                  hit={hit}
                  query={asked}
                  isActive={index === active}
                  onEnter={() => preview(index)}
                  onChoose={() => go(hit)}
                />
              );
            })}
          </div>
        ))}
        {hits && hits.total > flat.length && (
          <Line>{exact(hits.total - flat.length)} more matches. Type more to narrow them down.</Line>
        )}
      </div>
    </search>
  );
}

type OptionProps = {
  readonly id: string;
  readonly hit: SearchHit;
  readonly query: string;
  readonly isActive: boolean;
  readonly onEnter: () => void;
  readonly onChoose: () => void;
};

function Option({ id, hit, query, isActive, onEnter, onChoose }: OptionProps) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys (aria-activedescendant)
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      ref={(element) => {
        if (isActive) element?.scrollIntoView({ block: 'nearest' });
      }}
      onPointerMove={() => !isActive && onEnter()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={onChoose}
      className={classNames(
        'flex min-h-9 cursor-pointer flex-col justify-center rounded-control px-2.5 py-1 text-small touch:min-h-11',
        isActive && 'bg-brand-soft',
      )}
    >
      <span className="flex gap-3">
        <span className="min-w-0 flex-1 truncate text-ink">
          {keyed(markMatches(hit.name, query)).map(({ key, text, hit: isHit }) =>
            isHit ? (
              <mark
                key={key}
                className="bg-transparent font-semibold text-brand-ink underline decoration-2 decoration-[var(--highlight)] underline-offset-2"
              >
                {text}
              </mark>
            ) : (
              <span key={key}>{text}</span>
            ),
          )}
        </span>
        <span className="shrink-0 text-muted">{isKnown(hit.volume) ? exact(hit.volume) : 'unknown'}</span>
      </span>
      {hit.path.length > 2 && (
        <span className="truncate text-micro text-muted">
          {hit.path
            .slice(2)
            .map((p) => p.name)
            .join(' › ')}
        </span>
      )}
    </div>
  );
}

/** Pieces of one text with keys: where each one starts. */
function keyed(pieces: ReturnType<typeof markMatches>) {
  let start = 0;
  return pieces.map((piece) => {
    const key = start;
    start += piece.text.length;
    return { ...piece, key };
  });
}

function Line({ children }: { children: React.ReactNode }) {
  return <p className="m-0 px-2.5 py-2 text-small text-muted">{children}</p>;
}

/** A value once it has stood still for so long. */
function useLater(value: string, ms: number): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return later;
}
