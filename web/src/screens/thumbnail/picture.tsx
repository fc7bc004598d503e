import { type ThumbnailTree, thumbnailBoxes } from './boxes.ts';

type Props = {
  readonly tree: ThumbnailTree;
  /** In CSS pixels, as `className` makes it. */
  readonly width: number;
  readonly height: number;
  readonly className: string;
  /** What it shows; without one it is decoration beside a name. */
  readonly label?: string;
};

/** How much paler each further part of a pillar is drawn, down to `palest`. */
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
