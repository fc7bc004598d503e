import { drawStars, makeStars } from './starfield.ts';

/**
 * Messages from the page to the sky.
 *
 * `still`: whether the stars must not move. `width`, `height`: CSS pixels. `ratio`: device pixels per CSS pixel.
 * `count`: number of stars. `speed`: multiple of the slow drift. `watched`: whether the page is visible and in use.
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
  | { readonly kind: 'watched'; readonly watched: boolean };

/** A frame costs the page some 10 ms of processor time where nothing else draws. The slow drift moves no star by a pixel in it. */
const quietFrameMs = 100;
const fastFrameMs = 50;

/** Requested once: in a worker, Firefox throws when the context of a transferred canvas is requested again. */
let sky: OffscreenCanvasRenderingContext2D | null = null;
let still = false;
let size = { width: 0, height: 0 };
let stars = makeStars(0, Math.random);
let speed = 1;
/** How far the stars have moved, in seconds of slow drift. */
let drifted = 0;
/** The time of the twinkling in seconds. Like the drift, it rests with the sky. */
let seconds = 0;
let watched = true;
let timer: ReturnType<typeof setInterval> | undefined;

addEventListener('message', ({ data }: MessageEvent<SkyMessage>) => {
  if (data.kind === 'start') {
    sky = data.canvas.getContext('2d');
    still = data.still;
    run();
  } else if (data.kind === 'size') {
    resize(data);
  } else if (data.kind === 'speed') {
    speed = data.speed;
    run();
  } else {
    watched = data.watched;
    run();
  }
});

const frameMs = (): number => (speed > 1 ? fastFrameMs : quietFrameMs);

function run(): void {
  clearInterval(timer);
  if (sky && (watched || speed > 1) && !still) timer = setInterval(draw, frameMs());
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
  seconds += frameMs() / 1000;
  drifted += (frameMs() / 1000) * speed;
  drawStars(sky, stars, size.width, size.height, drifted, seconds);
}
