import { ArrowUp, Map as MapIcon, Maximize, Minus, Plus } from 'lucide-react';
import { useEffect, useState } from 'react';
import { IconButton } from '../../../ui/icon-button.tsx';
import { showsAll } from '../../charts/camera/camera.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { exact } from '../../format/figure-text.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';
import { Minimap } from './minimap.tsx';

const step = 1.4;

type ZoomControlsProps = {
  readonly stage: Stage | undefined;
  readonly hasMinimap: boolean;
  /** Whether a low window shows the legend and the minimap. */
  readonly isMapOpen: boolean;
  readonly onMap: (isOpen: boolean) => void;
};

/** Buttons for zooming and stepping out (like wheel, pinch and Escape), and for the overlays of the chart. */
export function ZoomControls({ stage, hasMinimap, isMapOpen, onMap }: ZoomControlsProps) {
  const explorer = useExplorer();
  const { zoom, focus, minimapOpen } = useLooks('zoom', 'focus', 'minimapOpen');
  return (
    <div role="toolbar" aria-label="Camera" className="ml-auto flex shrink-0 items-center">
      <IconButton size="dense" label="Up one level" disabled={focus === 0} onClick={explorer.climb}>
        <ArrowUp size={16} />
      </IconButton>
      <IconButton size="dense" label="Zoom out" onClick={() => stage?.zoomBy(1 / step, undefined, undefined, true)}>
        <Minus size={16} />
      </IconButton>
      <span className="w-14 text-center text-micro text-ink tabular-nums">{exact(zoom)} %</span>
      <IconButton size="dense" label="Zoom in" onClick={() => stage?.zoomBy(step, undefined, undefined, true)}>
        <Plus size={16} />
      </IconButton>
      <IconButton size="dense" label="Fit everything" onClick={() => stage?.fit()}>
        <Maximize size={16} />
      </IconButton>
      {hasMinimap && (
        <>
          <span className="contents short:hidden">
            <IconButton
              size="dense"
              label="Minimap"
              aria-pressed={minimapOpen}
              onClick={() => explorer.store.setState({ minimapOpen: !minimapOpen })}
            >
              <MapIcon size={16} />
            </IconButton>
          </span>
          <span className="hidden short:contents">
            <IconButton
              size="dense"
              label="Map"
              aria-pressed={isMapOpen}
              onClick={() => {
                onMap(!isMapOpen);
                if (!isMapOpen) explorer.store.setState({ minimapOpen: true });
              }}
            >
              <MapIcon size={16} />
            </IconButton>
          </span>
        </>
      )}
    </div>
  );
}

/** Shows the minimap while part of the chart is out of view, unless the user has closed it. */
export function MinimapCorner({ stage }: { stage: Stage | undefined }) {
  const isOpen = useLook((state) => state.minimapOpen);
  const isUseful = useHiddenParts(stage);
  if (!stage || !isOpen || !isUseful) return null;
  return <Minimap stage={stage} />;
}

/** Whether part of the chart is out of view. */
function useHiddenParts(stage: Stage | undefined): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const look = () => {
      const sight = stage?.sight();
      setHidden(sight !== undefined && !showsAll(sight.camera, sight.marks.extent, sight.view, sight.marks.zooms));
    };
    look();
    return stage?.watch(look);
  }, [stage]);
  return isHidden;
}
