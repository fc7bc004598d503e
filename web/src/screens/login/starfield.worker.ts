import { drawStars, makeStars } from './starfield.ts';

/** Messages from the page to the sky. Sizes in CSS pixels; `speed` 1 is the slow drift. */
export type SkyMessage =
  | { readonly say: 'start'; readonly canvas: OffscreenCanvas; readonly still: boolean }
  | {
      readonly say: 'size';
      readonly width: number;
      readonly height: number;
      readonly ratio: number;
      readonly count: number;
    }
  | { readonly say: 'speed'; readonly speed: number }
  | { readonly say: 'visible'; readonly visible: boolean };

const frameMs = 50;

/** Requested once: in a worker, Firefox throws when the context of a transferred canvas is requested again. */
let sky: OffscreenCanvasRenderingContext2D | null = null;
let still = false;
let size = { width: 0, height: 0 };
let stars = makeStars(0, Math.random);
let speed = 1;
let drifted = 0;
let timer: ReturnType<typeof setInterval> | undefined;

addEventListener('message', ({ data }: MessageEvent<SkyMessage>) => {
  if (data.say === 'start') {
    sky = data.canvas.getContext('2d');
    still = data.still;
    run(true);
  } else if (data.say === 'size') {
    resize(data);
  } else if (data.say === 'speed') {
    speed = data.speed;
  } else {
    run(data.visible);
  }
});

function run(visible: boolean): void {
  clearInterval(timer);
  if (visible && !still) timer = setInterval(draw, frameMs);
}

function resize({ width, height, ratio, count }: Extract<SkyMessage, { say: 'size' }>): void {
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
