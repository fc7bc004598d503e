import { drawStars, makeStars } from './starfield.ts';

/**
 * Messages from the page to the sky.
 *
 * `still`: whether the stars must not move. `width`, `height`: CSS pixels. `ratio`: device pixels per CSS pixel.
 * `count`: number of stars. `speed`: multiple of the slow drift. `visible`: whether the page is visible.
 */
export type SkyMessage =
  | { readonly kind: 'start'; readonly canvas: OffscreenCanvas; readonly still: boolean }
  | {
      readonly kind: 'size';
      readonly width: number;
      readonly height: number;
      readonly ratio: number;
      readonly count: number;
    }
  | { readonly kind: 'speed'; readonly speed: number }
  | { readonly kind: 'visible'; readonly visible: boolean };

const frameMs = 50;

/** Requested once: in a worker, Firefox throws when the context of a transferred canvas is requested again. */
let sky: OffscreenCanvasRenderingContext2D | null = null;
let still = false;
let size = { width: 0, height: 0 };
let stars = makeStars(0, Math.random);
let speed = 1;
/** How far the stars have moved, in seconds of slow drift. */
let drifted = 0;
let timer: ReturnType<typeof setInterval> | undefined;

addEventListener('message', ({ data }: MessageEvent<SkyMessage>) => {
  if (data.kind === 'start') {
    sky = data.canvas.getContext('2d');
    still = data.still;
    run(true);
  } else if (data.kind === 'size') {
    resize(data);
  } else if (data.kind === 'speed') {
    speed = data.speed;
  } else {
    run(data.visible);
  }
});

function run(visible: boolean): void {
  clearInterval(timer);
  if (visible && !still) timer = setInterval(draw, frameMs);
}

function resize({ width, height, ratio, count }: Extract<SkyMessage, { kind: 'size' }>): void {
  if (!sky) return;
  size = { width, height };
  sky.canvas.width = Math.round(width * ratio);
  sky.canvas.height = Math.round(height * ratio);
  sky.scale(ratio, ratio);
  if (stars.length !== count) stars = makeStars(count, Math.random);
  draw();
}

function draw(): void {
  if (!sky) return;
  drifted += (frameMs / 1000) * speed;
  drawStars(sky, stars, size.width, size.height, drifted, performance.now() / 1000);
}
