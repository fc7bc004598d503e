import { say } from '@kc/rules/messages';
import type { NodeDetail } from '@kc/rules/shapes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { useLongList } from '../../../ui/long-list.ts';
import { exact } from '../../format/figure-text.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { MarkedName } from '../marked-name.tsx';

const rowPx = 30;
/** How many rows before the end the next page is requested. */
const ahead = 40;

/** Every keyword of a branch, heaviest first, loaded page by page while scrolling. */
export function KeywordList({ detail }: { detail: NodeDetail }) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  const scroller = useRef<HTMLDivElement>(null);
  const listId = useId();
  const [current, setCurrent] = useState(0);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ['keywords', explorer.id, detail.node, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      explorer.source.keywords({ node: detail.node, filter, after: pageParam }, signal),
    getNextPageParam: (page) => page.next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const keywords = useMemo(() => data?.pages.flatMap((page) => page.keywords) ?? [], [data]);
  const list = useLongList(scroller, { count: keywords.length, linePx: rowPx, more: 8 });
  const last = list.lines.at(-1) ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && last > keywords.length - ahead) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, last, keywords.length, fetchNextPage]);

  function press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1);
    const to = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -current, End: keywords.length }[
      event.key
    ];
    const found = keywords[current];
    if (event.key === 'Enter' && found) void explorer.goToNode(found.node);
    else if (to === undefined) return;
    else {
      const next = Math.min(keywords.length - 1, Math.max(0, current + to));
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
      aria-label={`All keywords of ${detail.name}, the heaviest first`}
      aria-activedescendant={list.lines.includes(current) ? `${listId}${current}` : undefined}
      aria-busy={isFetching}
      tabIndex={0}
      onKeyDown={press}
      className="group mt-2 max-h-80 overflow-y-auto rounded-control border border-line focus-visible:-outline-offset-2"
    >
      <div role="presentation" className="relative" style={{ height: list.heightPx }}>
        {list.lines.map((index) => {
          const { node, name, volume } = keywords[index]!;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it handles the keys (aria-activedescendant)
            <div
              key={node}
              id={`${listId}${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              aria-posinset={index + 1}
              aria-setsize={hasNextPage ? -1 : keywords.length}
              onClick={() => {
                setCurrent(index);
                void explorer.goToNode(node);
              }}
              className={classNames(
                'absolute inset-x-0 flex cursor-pointer items-center gap-3 px-2 text-small hover:bg-sunken',
                index === current &&
                  'group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus',
              )}
              style={{ top: list.topOf(index), height: rowPx }}
            >
              <span dir="auto" className="min-w-0 flex-1 truncate text-left">
                <MarkedName name={name} />
              </span>
              <span
                className={classNames('shrink-0', volume === undefined ? 'text-micro text-muted italic' : 'text-muted')}
              >
                <span className="sr-only">, volume </span>
                {exact(volume)}
              </span>
            </div>
          );
        })}
      </div>
      {isError && (
        <p role="alert" className="m-0 p-2 text-small text-bad">
          {say('explore/rest-failed')}{' '}
          <button type="button" className="underline" onClick={() => void fetchNextPage()}>
            Try again
          </button>
        </p>
      )}
    </div>
  );
}
