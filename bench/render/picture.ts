/** What both pages show of themselves. */
export type Picture = {
  /** Milliseconds from the navigation to the first picture on the canvas. */
  readonly painted: Promise<number>;
  /** Zooms in, one step a frame: milliseconds of every frame, its pixels included. */
  zoom(): Promise<number[]>;
};

declare global {
  var picture: Picture;
}

export const zoomFrames = 40;
/** From the whole picture to eight times its size, about a point off the middle. */
export const zoomAt = (frame: number) => 8 ** (frame / (zoomFrames - 1));
export const zoomPoint = { x: 0.3, y: 0.4 };

export function openCanvas(): CanvasRenderingContext2D {
  const canvas = document.createElement('canvas');
  canvas.width = innerWidth;
  canvas.height = innerHeight;
  document.body.append(canvas);
  return canvas.getContext('2d')!;
}

/** Waits for the pixels: without it a canvas only notes down what to draw. */
export function flush(ctx: CanvasRenderingContext2D): void {
  ctx.getImageData(0, 0, 1, 1);
}

export async function timeFrames(ctx: CanvasRenderingContext2D, draw: (zoom: number) => void): Promise<number[]> {
  const times: number[] = [];
  for (let frame = 0; frame < zoomFrames; frame++) {
    await new Promise(requestAnimationFrame);
    const start = performance.now();
    draw(zoomAt(frame));
    flush(ctx);
    times.push(performance.now() - start);
  }
  return times;
}
