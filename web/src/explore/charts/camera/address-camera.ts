import type { Camera } from '../../model/camera.ts';
import type { Explorer } from '../../model/explorer.ts';
import { fittedTo, type Size } from './camera.ts';

/**
 * The camera in the address: written with the size of the view it belongs to, and adapted to the current view when
 * read.
 */
export function createAddressCamera({ address, store }: Pick<Explorer, 'address' | 'store'>) {
  /** Converts the camera of one view size to another. Only the Tree has an extent that does not depend on the view. */
  const inView = (camera: Camera, from: Size, to: Size): Camera =>
    fittedTo(camera, camera.of ?? from, to, store.getState().view !== 'tree');
  return {
    inView,
    read(view: Size): Camera | undefined {
      const camera = address.camera();
      return camera && inView(camera, view, view);
    },
    /** @param camera undefined where the whole chart is visible */
    write(camera: Camera | undefined, { width, height }: Size): void {
      address.moved(camera && { ...camera, of: { width, height } });
    },
  };
}
