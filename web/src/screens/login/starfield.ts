/** One star: where it is (0 to 1 of the sky), how big and bright, how fast it drifts and when it twinkles. */
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

/** Share of the sky's width a nearest star drifts in a second. */
const driftPerSecond = 0.004;

/**
 * Stars as the sign-in sky has them: 15 % gold, 25 % violet, the rest white.
 *
 * @param random numbers from 0 to below 1, one after the other
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
 * Draws the sky as it is after `drifted` seconds of drift, twinkling at `seconds`. The two differ once the stars
 * accelerate. `width` and `height` are CSS pixels.
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
