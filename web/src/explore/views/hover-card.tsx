import { useLayoutEffect, useRef } from 'react';
import { counted, exact, isKnown, knownFor, mean, share } from '../numbers.ts';
import { none } from '../state/explorer-state.ts';
import { useExplorer } from './explorer-context.ts';
import { useHue } from './hue.ts';
import type { Point } from './pointer.ts';

export type Resting = {
  readonly row: number;
  readonly at: Point;
  /** What is behind a tail of the row; undefined for the row itself. */
  readonly hidden: { readonly nodes: number; readonly keywords: number } | undefined;
};

const distance = 14;

/** What lies under the pointer, beside it; it turns to the other side at the edges. */
export function HoverCard({ row, at, hidden }: Resting) {
  const { tree } = useExplorer();
  const hue = useHue()(row);
  const card = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = card.current;
    const frame = element?.parentElement;
    if (!element || !frame) return;
    const flipX = at.x + distance + element.offsetWidth > frame.clientWidth;
    const flipY = at.y + distance + element.offsetHeight > frame.clientHeight;
    element.style.left = `${Math.max(4, flipX ? at.x - distance - element.offsetWidth : at.x + distance)}px`;
    element.style.top = `${Math.max(4, flipY ? at.y - distance - element.offsetHeight : at.y + distance)}px`;
  });
  return (
    <div
      ref={card}
      role="tooltip"
      className="pointer-events-none absolute z-20 max-w-72 rounded-control border border-line bg-surface px-3 py-2 text-small text-ink shadow-2"
    >
      {hidden ? <TailText hidden={hidden} /> : <NodeText row={row} />}
      <p className="m-0 truncate text-micro text-muted">
        <span className="mr-1.5 inline-block size-2 rounded-full" style={{ background: hue }} />
        {hidden ? `in ${tree.name(row)}` : parentLine(row, tree)}
      </p>
    </div>
  );
}

function NodeText({ row }: { row: number }) {
  const { tree } = useExplorer();
  const keywords = tree.keywords[row]!;
  const volume = tree.volume[row];
  const difficulty = tree.difficulty[row];
  return (
    <>
      <p className="m-0 break-words font-semibold">{tree.name(row)}</p>
      <p className="m-0">{counted(keywords, 'keyword')}</p>
      <p className="m-0">
        {isKnown(volume) ? `${exact(volume)} searches a month` : 'volume unknown'}
        {isKnown(volume) && tree.volumeKnown[row]! < keywords && (
          <span className="text-muted"> ({knownFor(tree.volumeKnown[row]!, keywords)})</span>
        )}
      </p>
      <p className="m-0">
        {isKnown(difficulty) ? `Difficulty ${mean(difficulty)}` : 'difficulty unknown'}
        {isKnown(difficulty) && tree.difficultyKnown[row]! < keywords && (
          <span className="text-muted"> (mean, {knownFor(tree.difficultyKnown[row]!, keywords)})</span>
        )}
      </p>
    </>
  );
}

function TailText({ hidden }: { hidden: NonNullable<Resting['hidden']> }) {
  return (
    <>
      <p className="m-0 font-semibold">+ {exact(hidden.nodes)} more</p>
      <p className="m-0">{counted(hidden.keywords, 'keyword')}</p>
    </>
  );
}

function parentLine(row: number, tree: ReturnType<typeof useExplorer>['tree']): string {
  const parent = tree.parent[row] ?? none;
  if (parent === none) return 'everything';
  return `${share(tree.keywords[row], tree.keywords[parent])} of ${tree.name(parent)}`;
}
