import { say } from '@kc/rules/messages';
import type { NodeDetail } from '@kc/rules/shapes';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { useLongList } from '../../../ui/long-list.ts';
import { exact } from '../../format/figure-text.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { LineFailure } from '../failure.tsx';
import { MarkedName } from '../marked-name.tsx';

const rowPx = 30;

/**
 * The lines of a list of any length that are in sight, and the one that keys act on.
 *
 * @param of which list it is: in another one, keys begin at the first line
 */
export function useLines(count: number, of = '') {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useLongList(scroller, { count, linePx: rowPx, more: 8 });
  const [at, setAt] = useState({ line: 0, of });
  const current = at.of === of ? Math.max(0, Math.min(at.line, count - 1)) : 0;
  const setCurrent = (line: number) => setAt({ line, of });
  return { count, scroller, list, current, setCurrent };
}

type Keyword = { readonly name: string; readonly volume?: number | undefined };

type Props<K extends Keyword> = {
  readonly label: string;
  readonly className: string;
  readonly lines: ReturnType<typeof useLines>;
  /** Of the whole list; -1 while it is unknown. */
  readonly setSize: number;
  /** Undefined while it is not loaded. */
  readonly keywordAt: (line: number) => K | undefined;
  readonly isSelected: (keyword: K | undefined, line: number) => boolean;
  readonly onChoose: (keyword: K) => void;
  readonly isBusy: boolean;
  /** Present if a part could not be loaded. */
  readonly onRetry: (() => void) | undefined;
};

/** Keywords with their volumes, loaded page by page while scrolling. */
export function KeywordListbox<K extends Keyword>(props: Props<K>) {
  const { label, className, setSize, keywordAt, isSelected, onChoose, isBusy, onRetry } = props;
  const { count, scroller, list, current, setCurrent } = props.lines;
  const id = useId();

  function press(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1);
    const to = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -current, End: count }[event.key];
    const keyword = keywordAt(current);
    if (event.key === 'Enter' && keyword) onChoose(keyword);
    else if (to === undefined) return;
    else {
      const next = Math.max(0, Math.min(count - 1, current + to));
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
      aria-label={label}
      aria-activedescendant={list.lines.includes(current) ? `${id}${current}` : undefined}
      aria-busy={isBusy}
      tabIndex={0}
      onKeyDown={press}
      className={classNames(
        'group overflow-y-auto rounded-control border border-line focus-visible:-outline-offset-2',
        className,
      )}
    >
      <div role="presentation" className="relative" style={{ height: list.heightPx }}>
        {list.lines.map((line) => {
          const keyword = keywordAt(line);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list around it handles the keys (aria-activedescendant)
            <div
              key={line}
              id={`${id}${line}`}
              role="option"
              tabIndex={-1}
              aria-selected={isSelected(keyword, line)}
              aria-posinset={line + 1}
              aria-setsize={setSize}
              onClick={() => {
                setCurrent(line);
                if (keyword) onChoose(keyword);
              }}
              className={classNames(
                'absolute inset-x-0 flex cursor-pointer items-center gap-3 px-2 text-small hover:bg-sunken',
                line === current &&
                  'group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-focus',
              )}
              style={{ top: list.topOf(line), height: rowPx }}
            >
              {keyword && <Line {...keyword} />}
            </div>
          );
        })}
      </div>
      {onRetry && (
        <p className="m-0 p-2 text-small">
          <LineFailure onRetry={onRetry}>{say('explore/rest-failed')}</LineFailure>
        </p>
      )}
    </div>
  );
}

function Line({ name, volume }: Keyword) {
  return (
    <>
      <span dir="auto" className="min-w-0 flex-1 truncate text-left">
        <MarkedName name={name} />
      </span>
      <span className={classNames('shrink-0 text-muted', volume === undefined && 'text-micro italic')}>
        <span className="sr-only">, volume </span>
        {exact(volume)}
      </span>
    </>
  );
}

/** How many rows before the end the next page is requested. */
const ahead = 40;

/** Every keyword of a branch, heaviest first, loaded page by page while scrolling. */
export function KeywordList({ detail }: { detail: NodeDetail }) {
  const explorer = useExplorer();
  const filter = useLook((state) => state.filter);
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = useInfiniteQuery({
    queryKey: ['keywords', explorer.id, detail.node, filter],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) =>
      explorer.source.keywords({ node: detail.node, filter, after: pageParam }, { signal }),
    getNextPageParam: (page) => page.next,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const keywords = useMemo(() => data?.pages.flatMap((page) => page.keywords) ?? [], [data]);
  const lines = useLines(keywords.length, filter);
  const last = lines.list.lines.at(-1) ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError && last > keywords.length - ahead) void fetchNextPage();
  }, [hasNextPage, isFetching, isError, last, keywords.length, fetchNextPage]);
  return (
    <KeywordListbox
      label={`All keywords of ${detail.name}, the heaviest first`}
      className="mt-2 max-h-80"
      lines={lines}
      setSize={hasNextPage ? -1 : keywords.length}
      keywordAt={(line) => keywords[line]}
      isSelected={(_, line) => line === lines.current}
      onChoose={({ node }) => void explorer.goToNode(node)}
      isBusy={isFetching}
      onRetry={isError ? () => void fetchNextPage() : undefined}
    />
  );
}
