/** Colours as numbers: perceptual mixing, and the contrast of text. */

/**
 * Lightness 0 to 1 and two opponent axes. Source: Björn Ottosson, "A perceptual color space for image processing",
 * 2020.
 */
type Oklab = readonly [lightness: number, a: number, b: number];

/** @param share of `b`, 0 to 1; colours are `#rrggbb` */
export function mix(a: string, b: string, share: number): string {
  const [from, to] = [toOklab(a), toOklab(b)];
  const part = (i: 0 | 1 | 2) => from[i] + (to[i] - from[i]) * share;
  return toHex([part(0), part(1), part(2)]);
}

/** The same hue and chroma at another lightness, 0 to 1; colours outside sRGB are clipped. */
export function withLightness(colour: string, lightness: number): string {
  const [, a, b] = toOklab(colour);
  return toHex([lightness, a, b]);
}

/** Contrast of two colours, 1 to 21. Source: WCAG 2.2 "contrast ratio". */
export function contrast(a: string, b: string): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** The one of two inks with more contrast on a background; white or black if neither is readable. */
export function inkOn(ground: string, light: string, dark: string): string {
  const better = (a: string, b: string) => (contrast(ground, a) >= contrast(ground, b) ? a : b);
  const soft = better(light, dark);
  return contrast(ground, soft) >= leastTextContrast ? soft : better('#ffffff', '#000000');
}

/** Source: WCAG 2.2, success criterion 1.4.3. */
const leastTextContrast = 4.5;

function luminance(colour: string): number {
  const [r, g, b] = toLinear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** Linear light, 0 to 1. */
function toLinear(colour: string): readonly [number, number, number] {
  const channel = (at: number) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function toOklab(colour: string): Oklab {
  const [r, g, b] = toLinear(colour);
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

function toHex([lightness, a, b]: Oklab): string {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const channel = (value: number) => {
    const linear = Math.min(1, Math.max(0, value));
    const encoded = linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
    return Math.round(encoded * 255)
      .toString(16)
      .padStart(2, '0');
  };
  const red = channel(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s);
  const green = channel(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s);
  const blue = channel(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s);
  return `#${red}${green}${blue}`;
}
