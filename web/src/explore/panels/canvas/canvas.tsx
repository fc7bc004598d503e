import { say } from '@kc/rules/messages';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { gridRowId } from '../../../ui/data-grid.tsx';
import { allowsMotion, currentTheme, useIsSmall, watchTheme } from '../../../ui/environment.ts';
import type { Point } from '../../charts/camera/camera.ts';
import { fitCanvas } from '../../charts/canvas/fit-canvas.ts';
import { createMotion, type Motion } from '../../charts/canvas/motion.ts';
import type { Hidden } from '../../charts/canvas/shown-marks.ts';
import { createStage, type Stage } from '../../charts/canvas/stage.ts';
import { type ChartView, loadChart } from '../../charts/charts.ts';
import type { Chart } from '../../charts/paint/painter.ts';
import { watchFonts } from '../../charts/paint/text.ts';
import { attachPointer } from '../../charts/pointer/pointer.ts';
import { counted, exact, figureText, keywordsOf, parentShare } from '../../format/figure-text.ts';
import { none } from '../../tree-data/columns.ts';
import { fieldName, isFieldKey, isKnownAnywhere, isScoreKey, type Metric } from '../../tree-data/figures.ts';
import { useExplorer, useForOneContent, useLook, useLooks } from '../explorer-context.ts';
import { Failure } from '../failure.tsx';
import { useHue } from '../row-look.tsx';
import { viewNames } from '../view-names.ts';
import { warningText } from '../warnings/warning-texts.ts';
import { handleCanvasKey, handleCanvasKeyUp } from './canvas-keys.ts';
import { type MenuPlace, NodeMenu } from './node-menu.tsx';

type CanvasProps = {
  readonly view: ChartView;
  /** Reports the stage, for the buttons around the canvas. */
  readonly onStage: (stage: Stage | undefined) => void;
};

/**
 * The chart: a single tab stop, operated with pointer, touch and keyboard. The previous chart stays until the next one
 * has loaded.
 */
export function Canvas({ view, onStage }: CanvasProps) {
  const explorer = useExplorer();
  const surface = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const overlay = useRef<HTMLCanvasElement>(null);
  const stageRef = useRef<Stage | undefined>(undefined);
  const [resting, setResting] = useForOneContent<Resting>();
  const [menu, setMenu] = useForOneContent<MenuPlace>();
  const [box, setBox] = useState<{ from: Point; to: Point } | undefined>();

  const motion = useRef<Motion | undefined>(undefined);
  useEffect(() => {
    if (!canvas.current || !overlay.current) return;
    const created = createMotion({ canvas: canvas.current, overlay: overlay.current, allowsMotion });
    motion.current = created;
    return created.close;
  }, []);

  const { shown, failure, retry } = useChart(view);
  const chart = shown?.chart;
  useEffect(() => {
    if (!chart || !motion.current || !surface.current || !canvas.current) return;
    const stage = createStage({
      canvas: canvas.current,
      motion: motion.current,
      explorer,
      chart,
      allowsMotion,
      theme: currentTheme,
    });
    const stopFitting = fitCanvas(canvas.current, stage.resized, stage.resizing);
    const detachPointer = attachPointer({
      surface: surface.current,
      stage,
      explorer,
      onRest: (target, at) =>
        setResting(target && { at, row: target.row, hidden: target.isTail ? stage.hiddenAt(target.mark) : undefined }),
      onMenu: (target, at) => setMenu({ row: target.row, at }),
      onBox: setBox,
    });
    const stopTheme = watchTheme(stage.repaint);
    const stopFonts = watchFonts(stage.repaint);
    stageRef.current = stage;
    onStage(stage);
    return () => {
      onStage(undefined);
      stageRef.current = undefined;
      stopTheme();
      stopFonts();
      detachPointer();
      stopFitting();
      stage.close();
    };
  }, [explorer, chart, onStage, setResting, setMenu]);

  /** Whether Space is held down on the chart with no drag since. */
  const spaceHeld = useRef(false);
  const keyParts = () => stageRef.current && { explorer, stage: stageRef.current, onMenu: setMenu };
  const { selected, outlineOpen } = useLooks('selected', 'outlineOpen');
  // On a small screen the outline has no panel: then there are no rows to point at.
  const isSmall = useIsSmall();
  return (
    <>
      <div
        ref={surface}
        role="application"
        aria-label={`${viewNames[shown?.view ?? view]} of ${useFocusLabel()}. Arrow keys move, Enter dives, Escape climbs, question mark lists all keys.`}
        aria-activedescendant={
          outlineOpen && !isSmall && selected !== none ? gridRowId('outline', selected) : undefined
        }
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application is a widget of its own (WAI-ARIA "application")
        tabIndex={0}
        className="absolute inset-0 touch-none cursor-grab select-none overflow-hidden bg-canvas focus-visible:-outline-offset-2"
        onKeyDown={(event) => {
          stageRef.current?.drivenBy('keyboard');
          const parts = keyParts();
          if (event.key === ' ' && !event.repeat) spaceHeld.current = true;
          if (parts) explorer.look.follow(() => handleCanvasKey(event, parts));
        }}
        onKeyUp={(event) => {
          const parts = keyParts();
          if (parts && spaceHeld.current) explorer.look.follow(() => handleCanvasKeyUp(event, parts));
          if (event.key === ' ') spaceHeld.current = false;
        }}
        onPointerDown={() => {
          spaceHeld.current = false;
        }}
        onFocus={() => stageRef.current?.repaint()}
        onBlur={() => stageRef.current?.repaint()}
      >
        <canvas ref={canvas} className="absolute inset-0 size-full" />
        <canvas ref={overlay} width={0} className="pointer-events-none absolute inset-0 size-full" />
        {box && <ZoomBox {...box} />}
        {resting && !menu && <HoverCard {...resting} />}
        {menu && (
          <NodeMenu place={menu} surface={surface} stage={stageRef.current} onClose={() => setMenu(undefined)} />
        )}
      </div>
      {failure !== undefined && <Failure title={say('explore/picture-failed')} failure={failure} onRetry={retry} />}
    </>
  );
}

type Shown = { readonly view: ChartView; readonly chart: Chart };

/**
 * The chart of a view. Until its script loads, the previous chart, or undefined at first. Also reports a failure to
 * load.
 */
function useChart(view: ChartView) {
  const [shown, setShown] = useState<Shown>();
  const [failure, setFailure] = useState<unknown>();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every retry must load again
  useEffect(() => {
    let isCurrent = true;
    setFailure(undefined);
    loadChart(view).then(
      (chart) => isCurrent && setShown({ view, chart }),
      (why) => isCurrent && setFailure(why),
    );
    return () => {
      isCurrent = false;
    };
  }, [view, tries]);
  return { shown, failure, retry: () => setTries(tries + 1) };
}

/** The branch that the chart shows. */
function useFocusLabel(): string {
  const { tree } = useExplorer();
  return useLook(({ focus }) => (tree.size === 0 ? 'keywords' : `${tree.name(focus)}, ${keywordsOf(tree, focus)}`));
}

function ZoomBox({ from, to }: { from: Point; to: Point }) {
  return (
    <div
      className="pointer-events-none absolute border border-brand bg-brand/15"
      style={{
        left: Math.min(from.x, to.x),
        top: Math.min(from.y, to.y),
        width: Math.abs(to.x - from.x),
        height: Math.abs(to.y - from.y),
      }}
    />
  );
}

type Resting = {
  readonly row: number;
  readonly at: Point;
  /** What the remainder mark of the row contains; undefined for the row itself. */
  readonly hidden: Hidden | undefined;
};

const distance = 14;

/** A card beside the pointer for the mark below it. It flips sides at the edges. */
function HoverCard({ row, at, hidden }: Resting) {
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
  const { colour, size } = useLooks('colour', 'size');
  const shown = [colour, size].filter((key): key is Metric => !withoutFigure.has(key));
  const score = useLook((state) => state.readScore);
  const explanationOf = (key: Metric) => {
    const field = isFieldKey(key) ? tree.field(fieldName(key)) : undefined;
    return field && score?.how(tree, row, { name: field.name, known: field.known[row]! });
  };
  const texts = [
    ...new Set<Metric>(tree.isLeftOut(row) ? ['keywords'] : ['keywords', 'volume', 'difficulty', ...shown]),
  ]
    .filter((key) => isKnownAnywhere(tree, key))
    .flatMap((key) =>
      isScoreKey(key)
        ? [figureText(tree, row, key), explanationOf(key)].filter((text) => text !== undefined)
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
