import { squarify } from '../../explore/charts/treemap/squarify.ts';

type Props = {
  readonly tree: ThumbnailTree;
  /** In CSS pixels, matching `className`. */
  readonly width: number;
  readonly height: number;
  readonly className: string;
  /** The accessible name; without one the picture is decorative. */
  readonly label?: string;
};

/** How much paler each further part of a topic is drawn, down to `palest`. */
const paler = 0.06;
const palest = 0.45;

/** The top of a hierarchy as a small treemap. */
export function ThumbnailPicture({ tree, width, height, className, label }: Props) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      aria-hidden={label === undefined}
      className={`shrink-0 rounded-chip bg-sunken ${className}`}
    >
      {thumbnailBoxes(tree, width, height).map(({ colour, part, x, y, width: boxWidth, height: boxHeight }) => (
        <rect
          key={`${x} ${y}`}
          x={x}
          y={y}
          width={Math.max(0, boxWidth - 0.5)}
          height={Math.max(0, boxHeight - 0.5)}
          rx={1}
          style={{
            fill: colour > 0 ? `var(--pillar-${colour})` : 'var(--line-strong)',
            fillOpacity: Math.max(palest, 1 - part * paler),
          }}
        />
      ))}
    </svg>
  );
}

/** The two upper levels of a hierarchy with their weights, heaviest first. */
export type ThumbnailTree = {
  readonly pillars: readonly {
    readonly weight: number;
    /** Weights of its children. If empty, the topic is a single box. */
    readonly parts: readonly number[];
    /** 1 to 12, the topic's colour in the explorer; 0 if unknown. */
    readonly colour: number;
  }[];
  /** Weight of all remaining topics together. */
  readonly rest: number;
};

type ThumbnailBox = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The topic's colour; 0 for the remainder. */
  readonly colour: number;
  /** Index of the part within its topic, heaviest first. */
  readonly part: number;
};

/** Number of topics that have a colour of their own. */
export const pillarColours = 12;
const gap = 1;

/** The two upper levels of a hierarchy as a treemap: topics by weight, and their parts inside. */
export function thumbnailBoxes({ pillars, rest }: ThumbnailTree, width: number, height: number): ThumbnailBox[] {
  const weighty = pillars.filter(({ weight }) => weight > 0);
  const shown = rest > 0 ? [...weighty, { weight: rest, parts: [], colour: 0 }] : weighty;
  const { boxes } = squarify(
    Float64Array.from(shown, ({ weight }) => weight),
    width,
    height,
  );
  return shown.flatMap(({ parts, colour }, at) => boxesOf(parts, boxes.subarray(at * 4, at * 4 + 4), colour));
}

function boxesOf(parts: readonly number[], box: Float64Array, colour: number): ThumbnailBox[] {
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
