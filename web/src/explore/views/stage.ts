import { drawMarks } from '../draw/draw-marks.ts';
import type { CanvasSize } from '../draw/fit-canvas.ts';
import { hitTest } from '../draw/hit-test.ts';
import type { Theme } from '../draw/paint.ts';
import { type Camera, type Layout, type Marks, markKind } from '../layouts/layout.ts';
import {
  type Box,
  cameraOn,
  filledBy,
  heldOver,
  homeCamera,
  isSameCamera,
  panBy,
  type Size,
  shiftBetween,
  stillServes,
  zoomAt,
} from '../state/camera.ts';
import type { Explorer } from '../state/explorer.ts';
import { depthOf, type ExplorerState, levelsOf, none } from '../state/explorer-state.ts';
import { type Flight, flightBetween } from '../state/flight.ts';
import { createFramePace } from './frame-pace.ts';
import { createStill } from './still.ts';

export type StageParts = {
  readonly canvas: HTMLCanvasElement;
  /** Lies over the canvas and shows the picture before while it fades. */
  readonly ghost: HTMLCanvasElement;
  readonly explorer: Explorer;
  readonly layout: Layout;
  /** Whether things may move by themselves. */
  readonly mayMove: () => boolean;
  readonly theme: () => Theme;
};

/** What is at a point: a node (or the group around it), or the children behind a tail, `row` being their parent. */
export type Target = { readonly row: number; readonly mark: number; readonly isTail: boolean };

const flightMargin = 8;
/** A box has to be so wide for its name to be read. */
const legiblePx = 60;
const ghostMs = 220;
/** A picture that was not moved for so long is at rest. */
const restMs = 120;

/**
 * The canvas and its camera. Redraws once a frame when something changed and not otherwise; React renders nothing for
 * it. Points and sizes are CSS pixels from the canvas' top left corner.
 */
export function createStage({ canvas, ghost, explorer, layout, mayMove, theme }: StageParts) {
  const { tree, store } = explorer;
  const context = canvas.getContext('2d')!;
  const pace = createFramePace();
  const still = createStill(context);
  let view: Size = { width: 0, height: 0 };
  let dpr = 1;
  let camera: Camera | undefined = explorer.address.camera();
  /** Whether a person chose where the camera stands; until then it follows the picture as that grows. */
  let isMoved = camera !== undefined;
  let focus = store.getState().focus;
  let marks: Marks | undefined;
  /** The camera that the marks are laid out for; a moving picture is ahead of it. */
  let drawnAt: Camera = homeCamera;
  let flight: { readonly way: Flight; readonly from: number; readonly landed: () => void } | undefined;
  let frame = 0;
  let restTimer: ReturnType<typeof setTimeout> | undefined;
  let needsLayout = true;
  /** Rows with a mark, once somebody asked for them. */
  let drawn: ReadonlySet<number> | undefined;

  function invalidate(layoutToo: boolean): void {
    needsLayout ||= layoutToo;
    if (frame === 0) frame = requestAnimationFrame(drawFrame);
  }

  function drawFrame(now: number): void {
    frame = 0;
    if (view.width === 0 || view.height === 0 || tree.size === 0) return;
    if (flight) fly(now);
    const isOff = camera !== undefined && !isSameCamera(drawnAt, camera);
    if (isOff && !needsLayout && marks && !pace.fits(marks.count) && stillServes(drawnAt, camera!, view)) {
      still.show(drawnAt, camera!, dpr);
      if (flight) invalidate(false);
      return;
    }
    const started = performance.now();
    if (needsLayout || !marks || isOff) {
      if (!isMoved && !flight) camera = undefined;
      marks = layOut(camera ?? homeCamera);
      if (camera === undefined) {
        camera = homeOf(marks);
        if (!isSameCamera(camera, homeCamera)) marks = layOut(camera);
      }
      needsLayout = false;
      explorer.want(marks.wants);
      drawn = undefined;
      if (!flight) lookAtSought();
    }
    paint(marks);
    still.outdated();
    pace.measured(performance.now() - started, marks.count);
    if (flight) invalidate(false);
  }

  function fly(now: number): void {
    const { way, from, landed } = flight!;
    camera = way.at(now - from);
    if (now - from < way.ms) return;
    flight = undefined;
    landed();
    restSoon();
  }

  function layOut(at: Camera): Marks {
    const state = store.getState();
    const { size, opened, closed, unfolded } = state;
    drawnAt = at;
    return layout(tree, {
      focus,
      ...view,
      camera: at,
      sizeBy: size,
      depth: levelsOf(depthOf(state)),
      minPx: 3,
      budget: pace.budget(),
      opened,
      closed,
      unfolded,
    });
  }

  function paint(what: Marks): void {
    const { colour, size, hovered, previewed, selected, hits } = store.getState();
    // A ring around everything says nothing.
    const ringed = selected === focus && what.form === 'boxes' ? none : selected;
    const lit = new Set([...hits, ...(previewed === none ? [] : [previewed])].map(drawnAncestor));
    drawMarks(context, what, tree, {
      theme: theme(),
      colourBy: colour,
      sizeBy: size,
      hover: markOf(hovered === none ? drawnAncestor(previewed) : hovered),
      selection: new Set(ringed === none ? [] : [ringed]),
      hits: lit,
      focusRing: isKeyboardDriven && document.activeElement === canvas.parentElement ? ringed : none,
      dpr,
      labels: true,
    });
  }

  /** Whether the last thing said to the canvas was a key: only then does the place of the keyboard have a ring. */
  let isKeyboardDriven = false;

  /** The camera that shows the picture to begin with: all of it, or of a tall tree its root at full size. */
  function homeOf({ form, extent, count, y0, y1 }: Marks): Camera {
    if (form === 'boxes') return homeCamera;
    if (extent.width <= view.width && extent.height <= view.height)
      return cameraOn({ x0: 0, y0: 0, x1: extent.width, y1: extent.height }, view, 0, 1);
    const { y, k } = drawnAt;
    const rootAt = count === 0 ? extent.height / 2 : y + (y0[0]! + y1[0]!) / 2 / k;
    const top = rootAt - view.height / 2;
    return {
      x: Math.min(0, (extent.width - view.width) / 2),
      y:
        extent.height <= view.height
          ? (extent.height - view.height) / 2
          : Math.min(Math.max(0, top), extent.height - view.height),
      k: 1,
    };
  }

  /** Sets the camera where a person moved it. */
  function moveTo(to: Camera): void {
    flight = undefined;
    isMoved = true;
    camera = marks ? heldOver(to, marks.extent, view) : to;
    pace.moving(true);
    restSoon();
    invalidate(false);
  }

  /** After a moment without moves the picture is drawn in full and the address says where it stands. */
  function restSoon(): void {
    clearTimeout(restTimer);
    restTimer = setTimeout(() => {
      pace.moving(false);
      invalidate(true);
      if (!camera || !marks) return;
      explorer.address.moved(isSameCamera(camera, homeOf(marks)) ? undefined : camera);
    }, restMs);
    if (camera) store.setState({ zoom: Math.round(camera.k * 100) });
  }

  function flyTo(to: Camera, landed: () => void = restSoon): void {
    if (!mayMove() || !camera) {
      camera = to;
      isMoved = true;
      landed();
      restSoon();
      invalidate(true);
      return;
    }
    pace.moving(true);
    isMoved = true;
    flight = { way: flightBetween(camera, to, view), from: performance.now(), landed };
    invalidate(false);
  }

  /** Leaves the picture as it is on top, to fade over the next one. */
  function leaveGhost(): void {
    if (!mayMove() || canvas.width === 0) return;
    ghost.width = canvas.width;
    ghost.height = canvas.height;
    ghost.getContext('2d')?.drawImage(canvas, 0, 0);
    ghost.animate([{ opacity: 1 }, { opacity: 0 }], { duration: ghostMs, easing: 'ease-out', fill: 'both' });
  }

  /** Dives into a node that is on screen; climbs out of the one before when it is inside the new one; else fades. */
  function changeFocus(to: number): void {
    const inside = marks?.form === 'boxes' ? boxOf(to) : undefined;
    flight = undefined;
    if (inside && to !== focus && mayMove()) {
      flyTo(cameraOn(inside, view, 0), () => show(to));
      return;
    }
    const before = focus;
    show(to);
    if (marks?.form !== 'boxes' || !mayMove()) return;
    marks = layOut(homeCamera);
    const from = boxOf(before);
    if (!from) return;
    camera = cameraOn(from, view, 0);
    flyTo(homeCamera, () => {
      isMoved = false;
    });
  }

  function show(to: number): void {
    leaveGhost();
    focus = to;
    camera = undefined;
    isMoved = false;
    store.setState({ zoom: 100 });
    invalidate(true);
  }

  /** The row itself where it is drawn, else the nearest one around it that is. */
  function drawnAncestor(row: number): number {
    if (row === none || !marks) return none;
    drawn ??= rowsDrawn(marks);
    let at = row;
    while (at > none && !drawn.has(at)) at = tree.parent[at]!;
    return at;
  }

  /** Goes nearer to what somebody searched for and went to, where it is too small to be seen. */
  function lookAtSought(): void {
    const { sought } = store.getState();
    if (sought === none) return;
    const box = boxOf(sought);
    if (!box || !camera) return;
    store.setState({ sought: none });
    if ((box.x1 - box.x0) * camera.k >= legiblePx) return;
    const near = cameraOn(box, view, Math.min(view.width, view.height) * 0.42);
    flyTo(marks?.form === 'boxes' ? filledBy(near, marks.extent, view) : near);
  }

  function markOf(row: number): number {
    if (!marks || row === none) return none;
    for (let mark = 0; mark < marks.count; mark++) {
      if (marks.row[mark] === row && marks.kind[mark] !== markKind.tail) return mark;
    }
    return none;
  }

  /** Where a row is drawn, in layout units; undefined when it is not. */
  function boxOf(row: number): Box | undefined {
    const mark = markOf(row);
    if (!marks || mark === none) return undefined;
    const { x, y, k } = drawnAt;
    return {
      x0: x + marks.x0[mark]! / k,
      y0: y + marks.y0[mark]! / k,
      x1: x + marks.x1[mark]! / k,
      y1: y + marks.y1[mark]! / k,
    };
  }

  function onState(now: ExplorerState, before: ExplorerState): void {
    if (now.focus !== before.focus) changeFocus(now.focus);
    if (layoutFields.some((field) => now[field] !== before[field])) invalidate(true);
    else if (paintFields.some((field) => now[field] !== before[field])) invalidate(false);
  }

  const stopWatching = store.subscribe(onState);
  const zoomBy = (factor: number, px = view.width / 2, py = view.height / 2) =>
    camera && moveTo(zoomAt(camera, factor, px, py));

  return {
    /** The canvas was made that big, and is empty. */
    resized(size: CanvasSize): void {
      view = size;
      dpr = size.dpr;
      needsLayout = true;
      // Drawn at once, for the emptied canvas would flash until the next frame.
      cancelAnimationFrame(frame);
      drawFrame(performance.now());
    },
    repaint: (): void => invalidate(false),
    drivenBy(input: 'keyboard' | 'pointer'): void {
      if (isKeyboardDriven === (input === 'keyboard')) return;
      isKeyboardDriven = input === 'keyboard';
      invalidate(false);
    },
    zoomBy,
    panBy: (dx: number, dy: number): void => {
      if (camera) moveTo(panBy(camera, dx, dy));
    },
    zoomTo: (k: number): void => {
      if (camera) zoomBy(k / camera.k);
    },
    /** Everything in view. */
    fit(): void {
      if (!marks) return;
      const { extent, form } = marks;
      flyTo(
        form === 'boxes' ? homeCamera : cameraOn({ x0: 0, y0: 0, x1: extent.width, y1: extent.height }, view, 24, 1),
      );
    },
    fitRow(row: number): void {
      const box = boxOf(row);
      if (box) flyTo(cameraOn(box, view, 48, marks?.form === 'links' ? 2 : undefined));
    },
    fitBox({ x0, y0, x1, y1 }: Box): void {
      if (!camera) return;
      const { x, y, k } = camera;
      flyTo(cameraOn({ x0: x + x0 / k, y0: y + y0 / k, x1: x + x1 / k, y1: y + y1 / k }, view, flightMargin));
    },
    targetAt(px: number, py: number, slop: number): Target | undefined {
      const { scale, x, y } = shiftBetween(drawnAt, camera ?? drawnAt);
      const mark = marks && !flight ? hitTest(marks, (px - x) / scale, (py - y) / scale, slop / scale) : none;
      if (!marks || mark === none) return undefined;
      return { mark, row: marks.row[mark]!, isTail: marks.kind[mark] === markKind.tail };
    },
    /** Whether a branch's children are drawn. */
    isOpen(row: number): boolean {
      const mark = markOf(row);
      return mark !== none && marks?.kind[mark] === markKind.group;
    },
    hiddenAt: (mark: number) => ({
      nodes: marks?.hidden[mark] ?? 0,
      keywords: marks?.hiddenKeywords[mark] ?? 0,
    }),
    /** The middle of where a row is drawn, or of the view. */
    middleOf(row: number): { readonly x: number; readonly y: number } {
      const mark = markOf(row);
      if (!marks || mark === none) return { x: view.width / 2, y: view.height / 2 };
      return { x: (marks.x0[mark]! + marks.x1[mark]!) / 2, y: (marks.y0[mark]! + marks.y1[mark]!) / 2 };
    },
    close(): void {
      stopWatching();
      cancelAnimationFrame(frame);
      clearTimeout(restTimer);
    },
  };
}

function rowsDrawn({ count, row, kind }: Marks): ReadonlySet<number> {
  const rows = new Set<number>();
  for (let mark = 0; mark < count; mark++) if (kind[mark] !== markKind.tail) rows.add(row[mark]!);
  return rows;
}

export type Stage = ReturnType<typeof createStage>;

const layoutFields = [
  'treeVersion',
  'ready',
  'sought',
  'size',
  'depth',
  'opened',
  'closed',
  'unfolded',
] as const satisfies readonly (keyof ExplorerState)[];
const paintFields = [
  'hovered',
  'previewed',
  'selected',
  'hits',
  'colour',
] as const satisfies readonly (keyof ExplorerState)[];
