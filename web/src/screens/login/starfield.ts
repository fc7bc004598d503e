/** A star: position (0 to 1 of the sky), size, brightness, speed, and phase of its twinkle. */
export type Star = {
  readonly x: number;
  readonly y: number;
  /** Radius in CSS pixels, 0.4 to 2; most are small. */
  readonly radius: number;
  readonly color: string;
  /** 0.15 (far) to 1 (near). */
  readonly depth: number;
  /** 0 to 2π. */
  readonly phase: number;
};

type Sky = Pick<CanvasRenderingContext2D, 'clearRect' | 'beginPath' | 'arc' | 'fill' | 'fillStyle' | 'globalAlpha'>;

/** Share of the sky's width that the nearest stars drift per second. */
const driftPerSecond = 0.004;

/**
 * The stars of the sign-in sky: 15 % gold, 25 % violet, the rest white.
 *
 * @param random returns numbers from 0 to below 1
 */
export function makeStars(count: number, random: () => number): readonly Star[] {
  return Array.from({ length: count }, () => {
    const depth = 0.15 + 0.85 * random();
    return {
      x: random(),
      y: random(),
      radius: 0.4 + 1.6 * random() ** 3,
      color: colorOf(random()),
      depth,
      phase: random() * 2 * Math.PI,
    };
  });
}

function colorOf(share: number): string {
  if (share < 0.15) return '#ffd9a0';
  return share < 0.4 ? '#b9b6ff' : '#ffffff';
}

/**
 * Draws the sky after `drifted` seconds of drift, twinkling at `seconds`. The two differ once the stars accelerate.
 * `width` and `height` are in CSS pixels.
 */
export function drawStars(
  sky: Sky,
  stars: readonly Star[],
  width: number,
  height: number,
  drifted: number,
  seconds: number,
): void {
  sky.clearRect(0, 0, width, height);
  for (const star of stars) {
    const x = star.x - drifted * driftPerSecond * star.depth;
    sky.globalAlpha = 0.65 + 0.35 * Math.sin(seconds * (0.6 + star.depth) + star.phase);
    sky.fillStyle = star.color;
    sky.beginPath();
    sky.arc((x - Math.floor(x)) * width, star.y * height, star.radius, 0, 2 * Math.PI);
    sky.fill();
  }
}
