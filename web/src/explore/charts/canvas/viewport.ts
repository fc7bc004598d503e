import type { Camera } from '../../model/camera.ts';
import type { Size } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';

/**
 * What the canvas shows: its marks and the camera they are laid out for, the current camera, and the size of the view.
 */
export type Viewport = {
  readonly marks: Marks;
  readonly drawnAt: Camera;
  readonly camera: Camera;
  readonly view: Size;
  /** Whether the whole chart is visible. */
  readonly isWhole: boolean;
};
