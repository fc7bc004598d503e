import { useLayoutEffect, useRef } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import type { Point } from '../../charts/camera/camera.ts';
import type { Hidden } from '../../charts/canvas/shown-marks.ts';
import { counted, exact, figureText, parentShare } from '../../format/figure-text.ts';
import { none } from '../../tree-data/columns.ts';
import { fieldName, isFieldKey, isKnownAnywhere, isScoreKey, type Metric } from '../../tree-data/figures.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { useHue } from '../row-look.tsx';
import { warningText } from '../warnings/warning-texts.ts';

export type Resting = {
  readonly row: number;
  readonly at: Point;
  /** What the remainder mark of the row contains; undefined for the row itself. */
  readonly hidden: Hidden | undefined;
};

const distance = 14;

/** A card beside the pointer for the mark below it. It flips sides at the edges. */
export function HoverCard({ row, at, hidden }: Resting) {
  const { tree } = useExplorer();
  const hue = useHue()(row);
  const size = useLook((state) => state.size);
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
        <span
          className="mr-1.5 inline-block size-2 rounded-full forced-color-adjust-none"
          style={{ background: hue }}
        />
        {hidden ? 'in ' : parentShare(tree, row, size)}
        <bdi>{hidden ? tree.name(row) : parentName(row, tree)}</bdi>
      </p>
    </div>
  );
}

/** The name and figures of the node: the standard figures first, then those that the chart encodes. */
function NodeText({ row }: { row: number }) {
  const { tree } = useExplorer();
  const mark = useLook((state) => state.warningMarks?.get(tree.node[row]!));
  const colour = useLook((state) => state.colour);
  const size = useLook((state) => state.size);
  const shown = [colour, size].filter((key): key is Metric => !withoutFigure.has(key));
  const score = useLook((state) => state.readScore);
  const howOf = (key: Metric) => {
    const field = isFieldKey(key) ? tree.field(fieldName(key)) : undefined;
    return field && score?.how(tree, row, { name: field.name, known: field.known[row]! });
  };
  const texts = [
    ...new Set<Metric>(tree.isLeftOut(row) ? ['keywords'] : ['keywords', 'volume', 'difficulty', ...shown]),
  ]
    .filter((key) => isKnownAnywhere(tree, key))
    .flatMap((key) =>
      isScoreKey(key)
        ? [figureText(tree, row, key), howOf(key)].filter((text) => text !== undefined)
        : (figureText(tree, row, key) ?? []),
    );
  return (
    <>
      <p dir="auto" className="m-0 break-words text-left font-semibold">
        {tree.name(row)}
      </p>
      {texts.map((text) => (
        <p key={text} className={classNames('m-0 break-words', tree.isLeftOut(row) && 'first-letter:uppercase')}>
          {text}
        </p>
      ))}
      {mark && <p className="m-0 break-words text-warn">⚠ {warningText(mark)}</p>}
    </>
  );
}

const withoutFigure: ReadonlySet<string> = new Set(['pillar', 'depth', 'type', 'intent', 'equal']);

function TailText({ hidden }: { hidden: Hidden }) {
  return (
    <>
      <p className="m-0 font-semibold">
        {hidden.isGone ? `${exact(hidden.nodes)} gone since then` : `+ ${exact(hidden.nodes)} more`}
      </p>
      <p className="m-0">{counted(hidden.keywords, 'keyword')}</p>
      {hidden.isGone && (
        <>
          <p className="m-0">Volume {exact(hidden.volume)} then</p>
          <p className="m-0 text-muted">Click to list them</p>
        </>
      )}
    </>
  );
}

type Tree = ReturnType<typeof useExplorer>['tree'];

function parentName(row: number, tree: Tree): string {
  const parent = tree.parent[row] ?? none;
  return parent === none ? 'everything' : tree.name(parent);
}
