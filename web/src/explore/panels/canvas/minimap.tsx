import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react';
import { useTheme } from '../../../ui/environment.ts';
import type { Point, Size } from '../../charts/camera/camera.ts';
import { cameraAround, type Miniature, miniatureIn, pointBehind, viewportIn } from '../../charts/camera/camera.ts';
import type { Viewport } from '../../charts/canvas/camera-controller.ts';
import { layoutFields, layoutLookOf } from '../../charts/canvas/frame-loop.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import type { Layout, Marks } from '../../charts/layout/layout.ts';
import { palettes } from '../../charts/paint/colours.ts';
import { type Pose, plainFills, poseOf, traceOutline } from '../../charts/paint/mark-outline.ts';
import type { ExplorerState } from '../../model/explorer-state.ts';
import type { LoadedTree } from '../../tree-data/loaded-tree.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

/** The size of the minimap in CSS pixels. */
const room: Size = { width: 180, height: 120 };
const maxMarks = 1_500;
/** Smallest mark in CSS pixels: smaller ones are indistinguishable. */
const smallestPx = 2;
/** The fraction of the viewport that an arrow key moves it by. */
const keyStep = 0.15;
/** Slices arrive in bursts: redraw the minimap once they have loaded. */
const settleMs = 300;

/**
 * A miniature of the whole focus, with a frame around the visible part. The frame can be moved by dragging or with
 * keys.
 */
export function Minimap({ stage }: { stage: Stage }) {
  const { store } = useExplorer();
  const canvas = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const dragged = useRef<Point | undefined>(undefined);
  useMiniature(stage, canvas);

  useEffect(() => {
    const place = () => {
      const sight = stage.sight();
      if (!sight || !frame.current) return;
      const { x0, y0, x1, y1 } = viewportIn(miniature(sight), room, sight.camera, sight.view, sight.marks.zooms);
      const { style } = frame.current;
      style.transform = `translate(${x0}px, ${y0}px)`;
      style.width = `${Math.max(4, x1 - x0)}px`;
      style.height = `${Math.max(4, y1 - y0)}px`;
    };
    place();
    return stage.watch(place);
  }, [stage]);

  /** Centres the viewport on a point of the miniature. */
  function lookAt({ x, y }: Point): void {
    const sight = stage.sight();
    if (!sight) return;
    stage.moveTo(cameraAround(sight.camera, pointBehind(miniature(sight), x, y), sight.view, sight.marks.zooms));
  }

  function grab(event: PointerEvent<HTMLDivElement>): void {
    if (event.button !== 0 || !frame.current) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    const at = pointIn(event);
    const rect = frame.current.getBoundingClientRect();
    const [dx, dy] = [event.clientX - rect.left, event.clientY - rect.top];
    const isInside = dx >= 0 && dy >= 0 && dx <= rect.width && dy <= rect.height;
    // Dragging the frame keeps the grab point; pressing outside it centres it under the pointer.
    dragged.current = isInside ? { x: dx - rect.width / 2, y: dy - rect.height / 2 } : { x: 0, y: 0 };
    if (!isInside) lookAt(at);
  }

  function drag(event: PointerEvent<HTMLDivElement>): void {
    if (!dragged.current) return;
    const { x, y } = pointIn(event);
    lookAt({ x: x - dragged.current.x, y: y - dragged.current.y });
  }

  function key(event: KeyboardEvent): void {
    const sight = stage.sight();
    const by = steps[event.key];
    if (event.ctrlKey || event.metaKey || event.altKey || !sight) return;
    if (by) stage.panBy(-by[0] * keyStep * sight.view.width, -by[1] * keyStep * sight.view.height);
    else if (event.key === 'm') {
      stage.takeFocus();
      store.setState({ minimapOpen: false });
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: HTML has no element for two-dimensional dragging
    <div
      role="group"
      aria-label="Minimap: the frame is the part in view. Arrow keys move it, M puts it away."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: its keys are the alternative to dragging (WCAG 2.5.7)
      tabIndex={0}
      className="relative h-[120px] w-[180px] cursor-pointer touch-none overflow-hidden rounded-card border border-line-strong bg-canvas shadow-1 box-content"
      onPointerDown={grab}
      onPointerMove={drag}
      onPointerUp={() => {
        dragged.current = undefined;
      }}
      onPointerCancel={() => {
        dragged.current = undefined;
      }}
      onKeyDown={key}
    >
      <canvas ref={canvas} className="absolute inset-0 size-full" />
      <div
        ref={frame}
        aria-hidden="true"
        className="absolute top-0 left-0 cursor-grab rounded-[3px] border-2 border-brand bg-brand/15 active:cursor-grabbing"
      />
    </div>
  );
}

const steps: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

const miniature = ({ marks }: Viewport): Miniature => miniatureIn(room, marks.extent);

function pointIn(event: PointerEvent<HTMLElement>): Point {
  const { left, top } = event.currentTarget.getBoundingClientRect();
  return { x: event.clientX - left - 1, y: event.clientY - top - 1 };
}

/** Draws the miniature and redraws it when its content changes. */
function useMiniature(stage: Stage, canvas: { readonly current: HTMLCanvasElement | null }): void {
  const explorer = useExplorer();
  const theme = useTheme();
  const look = useLook((state) => state);
  const { focus, colour, steps, isColourBlindSafe } = look;
  const state = useRef(look);
  state.current = look;
  const drawnFor = useRef<{ readonly stage: Stage; readonly focus: number } | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: these values are read from the state when drawing
  useEffect(() => {
    const draw = () => {
      const sight = stage.sight();
      if (!sight || !canvas.current) return;
      drawnFor.current = { stage, focus };
      const { pose, scaleX, scaleY } = smallPose(stage.chart.createLayout(), sight, explorer.tree, state.current);
      const fillOf = plainFills(pose, explorer.tree, { theme, colourBy: colour, steps, isColourBlindSafe });
      paint(canvas.current, pose, fillOf, { ...miniature(sight), scaleX, scaleY }, palettes[theme].canvas);
    };
    const isOther = drawnFor.current?.stage !== stage || drawnFor.current.focus !== focus;
    const timer = setTimeout(draw, isOther ? 0 : settleMs);
    return () => clearTimeout(timer);
  }, [stage, theme, focus, colour, steps, isColourBlindSafe, ...layoutFields.map((field) => look[field])]);
}

/** The largest marks of the whole chart, and the scale from layout pixels to miniature pixels. */
function smallPose(layout: Layout, { marks, view }: Viewport, tree: LoadedTree, state: ExplorerState) {
  const { extent, form } = marks;
  const { scaleX, scaleY } = miniatureIn(room, extent);
  // A tree is laid out small enough to fit the viewport; bars use their full width.
  const k = form === 'links' ? Math.min(1, view.width / extent.width, view.height / extent.height) : 1;
  const width = form === 'bars' ? Math.max(view.width, extent.width) : view.width;
  const whole: Marks = layout(tree, {
    focus: state.focus,
    width,
    height: view.height,
    camera: { x: 0, y: 0, k },
    ...layoutLookOf(state),
    minPx: (smallestPx * k) / scaleY,
    budget: maxMarks,
  });
  const pose: Pose = poseOf(whole, { width, height: view.height }, { scaleX: 1, scale: 1, x: 0, y: 0 }, maxMarks);
  return { pose, scaleX: scaleX / k, scaleY: scaleY / k };
}

const outlinePoints = 24;

function paint(
  canvas: HTMLCanvasElement,
  pose: Pose,
  fillOf: (mark: number) => string,
  { scaleX, scaleY, left, top }: Miniature,
  ground: string,
): void {
  const dpr = Math.min(2, window.devicePixelRatio);
  canvas.width = room.width * dpr;
  canvas.height = room.height * dpr;
  const ctx = canvas.getContext('2d');
  if (!ctx) return;
  ctx.fillStyle = ground;
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.setTransform(scaleX * dpr, 0, 0, scaleY * dpr, left * dpr, top * dpr);
  const points = new Float32Array(outlinePoints * 2);
  for (let i = 0; i < pose.count; i++) {
    traceOutline(pose, i, outlinePoints, points, 0);
    ctx.beginPath();
    for (let at = 0; at < points.length; at += 2) ctx.lineTo(points[at]!, points[at + 1]!);
    ctx.fillStyle = fillOf(i);
    ctx.fill();
  }
}
