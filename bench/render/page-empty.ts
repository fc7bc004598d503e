import { fillViewport, onScreen } from './picture.ts';

/** A canvas as large as the window with nothing on it: the browser's cost for any page of this kind. */
async function paint(): Promise<number> {
  const canvas = fillViewport(document.createElement('canvas'));
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  return onScreen();
}

globalThis.picture = { painted: paint() };
