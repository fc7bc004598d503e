import type { UploadOutline } from '@kc/pack/upload-outline';
import { countText } from '../../../ui/quantity.ts';
import { thumbnailBoxes } from './thumbnail-boxes.ts';

const width = 160;
const height = 100;
/** How much paler each further part of a pillar is drawn, down to `palest`. */
const paler = 0.06;
const palest = 0.45;

/** The top of a file's hierarchy as a small treemap, from what was read of it. */
export function Thumbnail({ outline }: { readonly outline: UploadOutline }) {
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`Preview with ${countText(outline.pillars)} pillar topics`}
      className="h-25 w-40 shrink-0 rounded-chip bg-sunken"
    >
      {thumbnailBoxes(outline, width, height).map(({ colour, part, x, y, width: boxWidth, height: boxHeight }) => (
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
