import type { Camera } from '../../model/camera.ts';
import type { Explorer } from '../../model/explorer.ts';
import { none } from '../../tree-data/no-row.ts';
import { type Box, heldOver, maxZoom, minZoom, panBy, type Size, zoomAt } from '../camera/camera.ts';
import { glideFrom, type Velocity, zoomFlight } from '../camera/glide.ts';
import { closestOn } from '../camera/semantic-dive.ts';
import { makingLegible, onPart, onRow, onWhole } from './camera-targets.ts';
import type { DiveByZoom } from './dive-by-zoom.ts';
import type { Motion } from './motion.ts';
import type { MovingCamera } from './moving-camera.ts';
import type { ShownMarks } from './shown-marks.ts';

type CameraMovesDeps = {
  readonly explorer: Pick<Explorer, 'tree' | 'store'>;
  readonly shown: ShownMarks;
  readonly motion: Pick<Motion, 'end'>;
  readonly view: () => Size;
  readonly allowsMotion: () => boolean;
  readonly moving: MovingCamera;
  readonly dive: DiveByZoom;
};

/** The ways to move the camera: by hand and by flights. Without a chart they do nothing. */
export function createCameraMoves(deps: CameraMovesDeps) {
  const { shown, view, moving } = deps;
  const flights = createFlights(deps);
  const { zoomBy, moveTo } = createZoom(deps);

  return {
    ...flights,
    moveTo,
    zoomBy,
    panBy(dx: number, dy: number): void {
      if (moving.camera) moveTo(panBy(moving.camera, dx, dy, shown.marks?.zooms));
    },
    /** Zooms around the middle of the view, smoothly. */
    zoomTo(k: number): void {
      moving.stop();
      if (moving.camera) zoomBy(k / moving.camera.k, undefined, undefined, true);
    },
    /** Keeps moving at the velocity of the pointer when it was released. */
    glide(velocity: Velocity): void {
      const { camera } = moving;
      const { marks } = shown;
      if (!camera || !marks || !deps.allowsMotion()) return;
      const { extent, zooms } = marks;
      const flight = glideFrom(camera, velocity, zooms, (at) => heldOver(at, extent, view(), zooms));
      if (flight) moving.start({ flight, byHand: true });
    },
  };
}

function createZoom({ explorer, shown, motion, view, allowsMotion, moving, dive }: CameraMovesDeps) {
  /** The closest zoom around a point of the viewport: a leaf under it must not fill the whole view. */
  function closestZoomAt(camera: Camera, px: number, py: number): number {
    const { marks, drawnAt } = shown;
    if (!marks) return maxZoom;
    const target = shown.targetAt(px, py, 0, camera);
    // The boxes of a tree all look like leaves, so zoom is limited on all of them.
    const isTree = marks.form === 'links';
    const mark = isTree ? 0 : target && !target.isTail ? target.mark : none;
    if (mark === none || (!isTree && explorer.tree.childCount[marks.row[mark]!]! > 0)) return maxZoom;
    const size = { width: marks.x1[mark]! - marks.x0[mark]!, height: marks.y1[mark]! - marks.y0[mark]! };
    return Math.min(maxZoom, Math.max(camera.k, closestOn(size, drawnAt.k, view(), marks.zooms)));
  }

  /** Moves the camera, as far as the chart stays in view. */
  function moveTo(to: Camera): void {
    motion.end();
    const { marks } = shown;
    moving.moveTo(marks ? heldOver(to, marks.extent, view(), marks.zooms) : to);
  }

  /** Zooms around the point `(px, py)`, within the limits of the chart. */
  function zoomBy(factor: number, px = view().width / 2, py = view().height / 2, isSmooth = false): void {
    const { camera, zoomTarget } = moving;
    if (!camera || zoomTarget === undefined || !shown.marks) return;
    motion.end();
    const { zooms } = shown.marks;
    const closest = closestZoomAt(camera, px, py);
    const k = Math.max(minZoom, Math.min(zoomTarget * factor, closest));
    if (isSmooth && allowsMotion())
      moving.start({ flight: zoomFlight(camera, k, px, py, zooms), byHand: true, zoom: k });
    else moveTo(zoomAt(camera, k / camera.k, px, py, zooms));
    dive.zoomed();
  }

  return { moveTo, zoomBy };
}

function createFlights({ explorer, shown, view, moving, dive }: CameraMovesDeps) {
  const { store } = explorer;

  function flyTo(to: Camera): void {
    dive.placed(to.k);
    moving.flyTo(to, shown.marks?.zooms);
  }

  return {
    flyTo,
    /** Shows the whole chart. */
    fit(): void {
      if (shown.marks) flyTo(onWhole(shown.marks, view()));
    },
    fitRow(row: number): void {
      const box = shown.boxOf(row);
      if (box && shown.marks) flyTo(onRow(box, shown.marks, view()));
    },
    /** Shows a part of the view, given in its pixels. */
    fitBox(box: Box): void {
      if (moving.camera) flyTo(onPart(box, moving.camera, view(), shown.marks?.zooms ?? 'both'));
    },
    /** Zooms in on the node that the user goes to, if it is too small to be legible. */
    lookAtSought(): void {
      const { sought } = store.getState();
      const box = sought === none ? undefined : shown.boxOf(sought);
      if (!box || !moving.camera || !shown.marks) return;
      store.setState({ sought: none });
      const to = makingLegible(box, shown.marks, moving.camera, view());
      if (to) flyTo(to);
    },
  };
}
