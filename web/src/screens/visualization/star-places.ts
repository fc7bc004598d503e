/** In CSS pixels. */
export type Sky = { readonly width: number; readonly height: number };
export type Box = Sky & { readonly x: number; readonly y: number };

/**
 * One star: its place from 0 to below 1 of the sky, its radius in CSS pixels, and whether it twinkles and since when.
 */
export type PlacedStar = {
  readonly at: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly twinkles: boolean;
  readonly delayS: number;
};

/**
 * The same stars every time: the fractional parts of multiples of irrational numbers spread evenly and never line up.
 * Source: Weyl, "Über die Gleichverteilung von Zahlen mod. Eins", Mathematische Annalen 77, 1916.
 */
export function starsOf(count: number): PlacedStar[] {
  const part = (n: number) => n - Math.floor(n);
  return Array.from({ length: count }, (_, at) => ({
    at,
    x: part((at + 1) * Math.SQRT2),
    y: part((at + 1) * Math.E),
    radius: 0.5 + 1.4 * part((at + 1) * Math.PI) ** 3,
    twinkles: at % 9 === 0,
    delayS: -4 * part((at + 1) * Math.LN2),
  }));
}

/** The stars that do not touch a box. @param room around the box, in CSS pixels */
export function starsOutside(
  stars: readonly PlacedStar[],
  sky: Sky,
  { x, y, width, height }: Box,
  room: number,
): PlacedStar[] {
  return stars.filter((star) => {
    const reach = star.radius + room;
    const [across, down] = [star.x * sky.width, star.y * sky.height];
    const isBeside = across < x - reach || across > x + width + reach;
    return isBeside || down < y - reach || down > y + height + reach;
  });
}
