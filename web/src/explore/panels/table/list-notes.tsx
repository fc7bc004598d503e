// biome-ignore-all lint/a11y/useSemanticElements: rows of a virtual list
import { say } from '@kc/rules/explorer-messages';
import { type CSSProperties, type ReactNode, useEffect, useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Skeleton } from '../../../ui/progress.tsx';
import { useExplorer, useLook } from '../explorer-context.ts';
import type { LevelWords } from './level-words.ts';
import { useList, useTableList } from './use-list.ts';

const rows = 12;
/** A list that comes at once has no skeleton, and one that comes soon has no words. */
const [skeletonMs, wordsMs] = [150, 500];

/** The rows before the first page has come. */
export function SkeletonRows(props: { place: CSSProperties; columns: number; words: LevelWords }) {
  const [shown, setShown] = useState<'nothing' | 'rows' | 'words'>('nothing');
  useEffect(() => {
    const timers = [setTimeout(() => setShown('rows'), skeletonMs), setTimeout(() => setShown('words'), wordsMs)];
    return () => {
      for (const timer of timers) clearTimeout(timer);
    };
  }, []);
  if (shown === 'nothing') return null;
  return (
    <div role="rowgroup">
      {Array.from({ length: rows }, (_, row) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: placeholders
          key={row}
          role="row"
          tabIndex={-1}
          className="grid w-full items-center border-b border-line"
          style={props.place}
        >
          {Array.from({ length: props.columns }, (_, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: placeholders
            <div key={column} role="gridcell" tabIndex={-1} className="px-2.5">
              <Skeleton className="h-3 w-3/4" />
            </div>
          ))}
        </div>
      ))}
      {shown === 'words' && (
        <div role="row" tabIndex={-1}>
          <div role="gridcell" tabIndex={-1} className="p-3 text-small text-muted">
            <span role="status">{say('explore/ranking', { what: props.words.title.toLowerCase() })}</span>
          </div>
        </div>
      )}
    </div>
  );
}

/** In place of the rows: why there are none. */
export function ListNote({ kind, words }: { kind: 'failed' | 'empty'; words: LevelWords }) {
  const explorer = useExplorer();
  const { tree, store } = explorer;
  const { list } = useTableList();
  const failure = useList((state) => state.failure);
  const focus = useLook((state) => state.focus);
  const isFiltered = useLook((state) => state.filter !== '');
  const name = tree.name(focus);
  if (kind === 'failed') {
    return (
      <Box isAlert>
        <p className="m-0 font-semibold">{say('explore/ranking-failed')}</p>
        <p className="mt-1 mb-3 text-muted">{explorer.explain(failure)}</p>
        <Button variant="primary" onClick={() => list.retry(tree.node[focus]!)}>
          Try again
        </Button>
      </Box>
    );
  }
  if (words.level === 'pillars' && focus !== 0) {
    return (
      <Box>
        <p className="mt-0 mb-3">{say('explore/pillars-below')}</p>
        <Button onClick={() => explorer.focusOn(0)}>Go up to compare pillars</Button>
      </Box>
    );
  }
  // The screen says so itself when a filter keeps nothing.
  if (isFiltered && tree.keywords[0] === 0) return null;
  return (
    <Box>
      <p className="mt-0 mb-3">{say('explore/level-empty', { what: words.title.toLowerCase(), name })}</p>
      {words.level !== 'keywords' && (
        <Button onClick={() => store.setState({ level: 'keywords' })}>Show keywords</Button>
      )}
    </Box>
  );
}

function Box({ isAlert = false, children }: { isAlert?: boolean; children: ReactNode }) {
  return (
    <div
      role={isAlert ? 'alert' : 'status'}
      className="absolute inset-x-4 top-16 z-20 mx-auto max-w-md rounded-card border border-line bg-surface p-5 text-center text-body shadow-1"
    >
      {children}
    </div>
  );
}
