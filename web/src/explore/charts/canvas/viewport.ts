import type { Camera } from '../../model/camera.ts';
import type { Size } from '../camera/camera.ts';
import type { Marks } from '../layout/layout.ts';

/** What the canvas shows: its marks and for where they are laid out, where it stands and how big it is. */
export type Viewport = {
  readonly marks: Marks;
  readonly drawnAt: Camera;
  readonly camera: Camera;
  readonly view: Size;
  /** Whether nothing of the picture is out of sight. */
  readonly isWhole: boolean;
};
