import type { TextQuery } from '@kc/pack/find/text-query';
import { say } from '@kc/rules/messages';
import { useQueries } from '@tanstack/react-query';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { exact } from '../../format/numbers.ts';
import { unplacedAtATime } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';
import { useLongList } from '../long-list/use-long-list.ts';
import { MarkedName } from '../marked-name.tsx';

const rowPx = 30;

type Props = {
  readonly query: TextQuery;
  /** How many there are; pages are asked for where the list is looked at. */
  readonly total: number;
  readonly chosen: number | undefined;
  readonly onChoose: (row: number) => void;
};

/** Keywords, the heaviest first, however many there are. */
export function UnplacedList({ query, total, chosen, onChoose }: Props) {
  const { id, source } = useExplorer();
  const scroller = useRef<HTMLDivElement>(null);
  const listId = useId();
  const [current, setCurrent] = useState(0);
  const list = useLongList(scroller, { count: total, linePx: rowPx, more: 8 });
  const pages = [...new Set(list.lines.map((line) => Math.floor(line / unplacedAtATime)))];
  const found = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['not-in-hierarchy', id, query.mode, query.text, page],
      queryFn: ({ signal }: { signal: AbortSignal }) => source.notInHierarchy(query, page * unplacedAtATime, signal),
      staleTime: Number.POSITIVE_INFINITY,
    })),
  });
  const keywordAt = (line: number) => {
    const page = Math.floor(line / unplacedAtATime);
    return found[pages.indexOf(page)]?.data?.keywords[line % unplacedAtATime];
  };
  const failed = found.find((page) => page.isError);

  function press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1);
    const to = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -current, End: total }[event.key];
    const keyword = keywordAt(current);
    if (event.key === 'Enter' && keyword) onChoose(keyword.row);
    else if (to === undefined) return;
    else {
      const next = Math.min(total - 1, Math.max(0, current + to));
      setCurrent(next);
      list.bringIntoSight(next);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label="Keywords that are not in the hierarchy, the heaviest first"
      aria-activedescendant={list.lines.includes(current) ? `${listId}${current}` : undefined}
      aria-busy={found.some((page) => page.isFetching)}
      tabIndex={0}
      onKeyDown={press}
      className="group h-80 max-h-[50dvh] overflow-y-auto rounded-control border border-line focus-visible:-outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: list.heightPx }}>
        {list.lines.map((line) => {
          const keyword = keywordAt(line);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it has the keys (aria-activedescendant)
            <div
              key={line}
              id={`${listId}${line}`}
              role="option"
              tabIndex={-1}
              aria-selected={keyword !== undefined && keyword.row === chosen}
              aria-posinset={line + 1}
              aria-setsize={total}
              onClick={() => {
                setCurrent(line);
                if (keyword) onChoose(keyword.row);
              }}
              className={classNames(
                'absolute inset-x-0 flex cursor-pointer items-center gap-3 px-2 text-small hover:bg-sunken aria-selected:bg-brand-soft',
                line === current &&
                  'group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus',
              )}
              style={{ top: list.topOf(line), height: rowPx }}
            >
              {keyword && (
                <>
                  <span dir="auto" className="min-w-0 flex-1 truncate text-left">
                    <MarkedName name={keyword.name} />
                  </span>
                  <span
                    className={classNames('shrink-0 text-muted', keyword.volume === undefined && 'text-micro italic')}
                  >
                    <span className="sr-only">, volume </span>
                    {exact(keyword.volume)}
                  </span>
                </>
              )}
            </div>
          );
        })}
      </div>
      {failed && (
        <p role="alert" className="m-0 p-2 text-small text-bad">
          {say('explore/rest-failed')}{' '}
          <button type="button" className="underline" onClick={() => void failed.refetch()}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
