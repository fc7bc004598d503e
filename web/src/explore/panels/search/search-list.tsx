import { say } from '@kc/rules/messages';
import type { SearchHit } from '@kc/rules/shapes';
import { shownName } from '@kc/rules/visible-text';
import { memo, type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { addsTo, keyName } from '../../../ui/keys.ts';
import { SegmentedControl } from '../../../ui/radio-group.tsx';
import { TickMark } from '../../../ui/tick-mark.tsx';
import { exact, isKnown } from '../../format/figure-text.ts';
import type { HitGroup } from '../../model/search-results.ts';
import { type HitTicks, useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { MarkedName } from '../marked-name.tsx';
import { matchOptions } from '../view-names.ts';

type ListProps = {
  readonly id: string;
  readonly optionId: (index: number) => string;
  readonly groups: readonly HitGroup[];
  /** The number of hits that are not listed. */
  readonly more: number;
  /** The number of hits among keywords outside the hierarchy. */
  readonly unplaced: number;
  /**
   * The active row: the hits of all groups in sequence, then the row for the remaining hits, then the row for keywords
   * outside the hierarchy.
   */
  readonly active: number;
  /** Where the active hit is highlighted, if it has no mark of its own. */
  readonly lit: string | undefined;
  readonly ticks: HitTicks | undefined;
  readonly onEnter: (index: number) => void;
  readonly onChoose: (index: number) => void;
  readonly onKeep: () => void;
};

/** The search results below the field. */
export function SearchList(props: ListProps) {
  const { id, optionId, groups, more, unplaced, active, lit, ticks, onEnter, onChoose, onKeep } = props;
  const { searchResults, searchFailure: failure } = useLooks('searchResults', 'searchFailure');
  const { explain } = useExplorer();
  const flat = groups.flatMap((group) => group.hits);
  const optionAt = (index: number) => ({
    id: optionId(index),
    isActive: index === active,
    onEnter: () => onEnter(index),
    onChoose: () => onChoose(index),
  });
  return (
    <div className="absolute top-full right-0 z-40 mt-1.5 flex max-h-[min(28rem,70dvh)] w-full min-w-72 flex-col overflow-hidden rounded-card border border-line bg-surface shadow-2 md:w-96">
      <Modes />
      {failure !== undefined && <Line>{isOfPattern(failure) ? explain(failure) : say('explore/search-failed')}</Line>}
      {failure === undefined && searchResults?.total === 0 && unplaced === 0 && (
        <Line>{say('explore/no-match', { query: searchResults.text })}</Line>
      )}
      <div
        id={id}
        role="listbox"
        aria-label="Matches"
        tabIndex={-1}
        className={classNames('min-h-0 overflow-y-auto', flat.length + unplaced > 0 && 'p-1.5')}
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is not allowed in a listbox
          <div key={group.node} role="group" aria-label={group.pillar}>
            <p role="presentation" className="m-0 flex gap-3 px-2.5 pt-2 pb-1 text-micro font-semibold text-muted">
              <bdi className="min-w-0 flex-1 truncate">{group.pillar}</bdi>
              <span>{exact(searchResults?.hitsByPillar.get(group.node) ?? group.hits.length)}</span>
            </p>
            {group.hits.map((hit) => (
              <Option
                key={hit.node}
                {...optionAt(flat.indexOf(hit))}
                isTicked={ticks?.isTicked(hit.node)}
                onTick={() => ticks?.toggle(hit.node)}
              >
                <Hit hit={hit} />
                {lit && flat[active] === hit && (
                  <span className="flex items-center gap-1.5 text-micro text-muted">
                    <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-[var(--highlight)]" />
                    <span className="truncate">{lit}</span>
                  </span>
                )}
              </Option>
            ))}
          </div>
        ))}
        {more > 0 && (
          <Option {...optionAt(flat.length)}>
            <span className="font-medium text-brand-ink">
              {exact(more)} more {more === 1 ? 'match' : 'matches'} – show all on canvas
            </span>
          </Option>
        )}
        {unplaced > 0 && (
          <Option {...optionAt(flat.length + (more > 0 ? 1 : 0))}>
            <span className="font-medium text-brand-ink">
              {exact(unplaced)} {flat.length > 0 && 'more '}not in the hierarchy – show the list
            </span>
          </Option>
        )}
      </div>
      {flat.length > 0 && (
        <div className="flex shrink-0 flex-wrap items-center justify-between gap-x-2 border-t border-line px-3 py-1 text-micro text-muted">
          <span className="touch:hidden">↑↓ look · Enter goes there{ticks && ` · ${keyName('⌘ Enter')} selects`}</span>
          <button
            type="button"
            // The field keeps the focus, so that the list stays open.
            onPointerDown={(event) => event.preventDefault()}
            onClick={onKeep}
            className="min-h-6 rounded-chip px-1.5 font-medium text-brand-ink hover:bg-sunken touch:min-h-11"
          >
            Filter to all matches <kbd className="font-mono touch:hidden">⇧Enter</kbd>
          </button>
        </div>
      )}
    </div>
  );
}

/** The match modes. The field keeps the focus when one is clicked, so that the list stays open. */
function Modes() {
  const { store } = useExplorer();
  const match = useLook((state) => state.match);
  return (
    <div className="shrink-0 border-b border-line p-1.5">
      <SegmentedControl
        label="How to match"
        value={match}
        options={matchOptions}
        onChange={(next) => store.setState({ match: next })}
        className="flex w-full [&>label]:flex-auto [&>label]:px-1 [&>label]:whitespace-nowrap"
      />
    </div>
  );
}

/** Whether a search failed because of its regular expression. */
const isOfPattern = (failure: unknown): boolean =>
  failure instanceof Error && (failure as { data?: { code?: unknown } }).data?.code === 'visualization/pattern-invalid';

type OptionProps = {
  readonly id: string;
  readonly isActive: boolean;
  readonly onEnter: () => void;
  readonly onChoose: () => void;
  /** Undefined if it cannot be ticked. */
  readonly isTicked?: boolean | undefined;
  readonly onTick?: () => void;
  readonly children: ReactNode;
};

function Option({ id, isActive, onEnter, onChoose, isTicked, onTick, children }: OptionProps) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys (aria-activedescendant)
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      aria-checked={isTicked}
      ref={option}
      onPointerMove={() => !isActive && onEnter()}
      onPointerDown={(event) => event.preventDefault()}
      onClick={(event) => (isTicked !== undefined && addsTo(event) ? onTick?.() : onChoose())}
      className={classNames(
        'flex min-h-9 cursor-pointer items-center rounded-control px-2.5 py-1 text-small touch:min-h-11',
        isActive && 'bg-brand-soft',
      )}
    >
      {isTicked !== undefined && (
        <span
          aria-hidden="true"
          data-tick=""
          className="-ml-1.5 mr-1 flex size-6 shrink-0 items-center justify-center touch:-my-1 touch:size-11"
          onClick={(event) => {
            event.stopPropagation();
            onTick?.();
          }}
        >
          <TickMark isOn={isTicked} />
        </span>
      )}
      <span className="flex min-w-0 flex-1 flex-col">{children}</span>
    </div>
  );
}

const Hit = memo(function Hit({ hit }: { readonly hit: SearchHit }) {
  return (
    <>
      <span className="flex gap-3">
        <span dir="auto" className="min-w-0 flex-1 truncate text-ink">
          <MarkedName name={hit.name} />
        </span>
        <span className="shrink-0 text-muted">{isKnown(hit.volume) ? exact(hit.volume) : 'unknown'}</span>
      </span>
      {hit.path.length > 2 && (
        <span className="truncate text-micro text-muted">
          {hit.path.slice(2).map(({ node, name }, level) => (
            <span key={node}>
              {level > 0 && ' › '}
              <bdi>{shownName(name)}</bdi>
            </span>
          ))}
        </span>
      )}
    </>
  );
});

function Line({ children }: { readonly children: ReactNode }) {
  return <p className="m-0 px-4 py-3 text-small text-muted">{children}</p>;
}
