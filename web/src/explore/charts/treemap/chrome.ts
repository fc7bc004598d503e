/**
 * The room that a group of a treemap reserves: a header strip at the top and a margin around its children, in CSS
 * pixels.
 *
 * Both grow continuously with the group, so zooming never makes its contents jump.
 */
export type Chrome = { header: number; margin: number };

/** Header heights by level below the focus, in CSS pixels; the focus has none, because the breadcrumb names it. */
const headers = [0, 24, 21, 19] as const;
/**
 * A header appears in groups of this height that are also wide enough, and has its full height `growthPx` later. It
 * grows fastest at first, so it is too low for a name only briefly.
 */
const firstPx = 44;
const growthPx = 6;
/** Of two groups, this share of the width counts like the height: a name needs more width than height. */
const widthShare = 0.62;
/** A strip of this height holds a name; below that, it is a part of the group's frame. In CSS pixels. */
export const namedStripPx = 11;
/** The margin grows to its full size between these lengths of the shorter side, in CSS pixels. */
const fullMargin = 3;
const [marginFromPx, marginToPx] = [12, 52];

/**
 * @param level below the focus
 * @param width of the group, as `height`, in CSS pixels
 * @param out is overwritten, so that no object is created for each group
 * @returns `out`
 */
export function chromeOf(level: number, width: number, height: number, out: Chrome): Chrome {
  const full = headers[Math.min(level, headers.length - 1)]!;
  const room = Math.min(height, width * widthShare);
  out.header = full * Math.sqrt(clamp01((room - firstPx) / growthPx));
  const side = Math.min(width, height);
  out.margin = (level === 0 ? 0 : fullMargin) * clamp01((side - marginFromPx) / (marginToPx - marginFromPx));
  return out;
}

const clamp01 = (value: number) => Math.min(1, Math.max(0, value));
