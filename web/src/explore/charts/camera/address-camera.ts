import type { Camera } from '../../model/camera.ts';
import type { Explorer } from '../../model/explorer.ts';
import { fittedTo, type Size } from './camera.ts';

/** The camera as the address knows it: written with the view that it stands in, read for the one at hand. */
export function createAddressCamera({ address, store }: Pick<Explorer, 'address' | 'store'>) {
  /** What a camera of one view is in another. The Tree alone is as large as its branches make it. */
  const inView = (camera: Camera, from: Size, to: Size): Camera =>
    fittedTo(camera, camera.of ?? from, to, store.getState().view !== 'tree');
  return {
    inView,
    read(view: Size): Camera | undefined {
      const camera = address.camera();
      return camera && inView(camera, view, view);
    },
    /** @param camera undefined where all of it is seen */
    write(camera: Camera | undefined, { width, height }: Size): void {
      address.moved(camera && { ...camera, of: { width, height } });
    },
  };
}
