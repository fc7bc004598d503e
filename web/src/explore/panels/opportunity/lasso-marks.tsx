import type { AreaPart } from '@kc/pack/filter/filter';
import { isSeen, type PlotDrawing } from './draw-plot.ts';
import { type Place, shapeOf } from './lasso.ts';

type Props = {
  readonly drawing: PlotDrawing;
  /** The area that the selection was made by. */
  readonly area: AreaPart | undefined;
  readonly pickedNths: readonly number[];
  readonly lasso: {
    readonly line: readonly Place[];
    readonly crosshair: (Place & { readonly corners: number }) | undefined;
  };
};

const crosshairPx = 9;
const cornerPx = 3;

/** The selection in the plot: its area, a ring around each selected point, and the shape that is being drawn. */
export function LassoMarks({ drawing, area, pickedNths, lasso: { line, crosshair } }: Props) {
  const shape = area && shapeOf(area, drawing);
  const { x, y, radius } = drawing.placed;
  const rings = pickedNths
    .filter((nth) => isSeen(drawing, nth))
    .map((nth) => ring(x[nth]!, y[nth]!, radius[nth]! + 2))
    .join('');
  return (
    <>
      {shape && <path d={pathOf(shape)} className="fill-brand/10 stroke-brand" strokeDasharray="6 3" />}
      {rings !== '' && <path d={rings} className="fill-none stroke-brand" strokeWidth="2" />}
      {line.length > 1 && <path d={pathOf(line)} className="fill-brand/10 stroke-brand" strokeWidth="1.5" />}
      {crosshair && (
        <>
          {line.slice(0, crosshair.corners).map((corner, nth) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a corner is identified by its place in the shape
            <circle key={nth} cx={corner.x} cy={corner.y} r={cornerPx} className="fill-brand" />
          ))}
          <path
            d={`M${crosshair.x - crosshairPx} ${crosshair.y}h${2 * crosshairPx}M${crosshair.x} ${crosshair.y - crosshairPx}v${2 * crosshairPx}`}
            className="stroke-ink"
            strokeWidth="2"
          />
        </>
      )}
    </>
  );
}

const pathOf = (places: readonly Place[]): string =>
  `M${places.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}Z`;

const ring = (x: number, y: number, r: number): string =>
  `M${(x - r).toFixed(1)} ${y.toFixed(1)}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;
