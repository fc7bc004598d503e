import type { OutlinePillar, UploadOutline } from '@kc/pack/upload-outline';
import { squarify } from '../../../explore/layouts/squarify.ts';

export type ThumbnailBox = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** 1 to 12, the pillar's colour in the explorer; 0 where that is not known yet. */
  readonly colour: number;
  /** Which of the pillar's parts this is, the heaviest first. */
  readonly part: number;
};

const colours = 12;
const gap = 1;

/**
 * The two upper levels of a hierarchy as a treemap: pillars by their leaves, and in each its children.
 *
 * The explorer gives its colours by volume, and the check of a file does not add up a pillar's volume: with volumes in
 * the file all pillars have the look of those that are not told apart, rather than colours that they lose later.
 */
export function thumbnailBoxes(
  { top, restLeaves, volume }: UploadOutline,
  width: number,
  height: number,
): ThumbnailBox[] {
  const pillars: OutlinePillar[] = top.filter(({ leaves }) => leaves > 0);
  const rest = restLeaves > 0 ? [{ name: '', leaves: restLeaves, parts: [] }] : [];
  const shown = [...pillars, ...rest];
  const { boxes } = squarify(
    Float64Array.from(shown, ({ leaves }) => leaves),
    width,
    height,
  );
  return shown.flatMap((pillar, at) => {
    const colour = volume.known === 0 && at < pillars.length ? (at % colours) + 1 : 0;
    return partsOf(pillar, boxes.subarray(at * 4, at * 4 + 4), colour);
  });
}

function partsOf({ parts }: OutlinePillar, box: Float64Array, colour: number): ThumbnailBox[] {
  const [left, top, right, bottom] = [...box] as [number, number, number, number];
  const width = right - left - gap;
  const height = bottom - top - gap;
  if (width <= 0 || height <= 0) return [];
  const weights = Float64Array.from(parts.length > 0 ? parts : [1]);
  const { boxes } = squarify(weights, width, height);
  return Array.from(weights, (_, part) => {
    const [x0, y0, x1, y1] = [...boxes.subarray(part * 4, part * 4 + 4)] as [number, number, number, number];
    return { x: left + x0, y: top + y0, width: x1 - x0, height: y1 - y0, colour, part };
  });
}
