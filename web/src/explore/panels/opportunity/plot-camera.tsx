import { Maximize, Minus, Plus } from 'lucide-react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { exact } from '../../format/figure-text.ts';
import { type PlotView, wholeView, zoomedView } from './plot-view.ts';

type CameraProps = { readonly view: PlotView; readonly onView: (next: PlotView) => void };

const step = 1.4;
const icon = { size: 16, strokeWidth: 1.75, 'aria-hidden': true } as const;

/** Buttons that do what wheel, pinch and keys do. */
export function PlotCamera({ view, onView }: CameraProps) {
  return (
    <div role="toolbar" aria-label="Camera" className="ml-auto flex shrink-0 items-center">
      <IconButton size="dense" label="Zoom out" onClick={() => onView(zoomedView(view, 1 / step))}>
        <Minus {...icon} />
      </IconButton>
      <span className="w-14 text-center text-micro text-ink tabular-nums">{exact(Math.round(view.k * 100))} %</span>
      <IconButton size="dense" label="Zoom in" onClick={() => onView(zoomedView(view, step))}>
        <Plus {...icon} />
      </IconButton>
      <IconButton size="dense" label="Fit everything" onClick={() => onView(wholeView)}>
        <Maximize {...icon} />
      </IconButton>
    </div>
  );
}
