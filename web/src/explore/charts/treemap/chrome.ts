/**
 * The room that a group of a treemap reserves: a header strip at the top and a margin around its children.
 *
 * Both grow continuously with the group, so zooming never makes its contents jump.
 */
export type Chrome = { header: number; margin: number };

/** Header heights by level below the focus, in CSS pixels; the focus has none, because the breadcrumb names it. */
const headers = [0, 24, 21, 19] as const;
/**
 * A header appears in groups of this height and one and a half times this width, and has its full height `growthPx`
 * later. It grows fastest at first, so it is too low for a name only briefly.
 */
const firstPx = 44;
const growthPx = 6;
/** A strip of this height holds a name; below that, it is a part of the group's frame. In CSS pixels. */
export const namedStripPx = 11;

/** Writes the chrome of a group into `out`. */
export function chromeOf(level: number, width: number, height: number, out: Chrome): void {
  const full = headers[Math.min(level, headers.length - 1)]!;
  const room = Math.min(height, width * 0.62);
  out.header = full * Math.sqrt(clamp01((room - firstPx) / growthPx));
  out.margin = (level === 0 ? 0 : 3) * clamp01((Math.min(width, height) - 12) / 40);
}

const clamp01 = (value: number) => Math.min(1, Math.max(0, value));
