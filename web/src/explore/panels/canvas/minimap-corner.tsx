import { lazy, useEffect, useState } from 'react';
import { seesAll } from '../../charts/camera/camera.ts';
import type { Stage } from '../../charts/canvas/stage.ts';
import { useLook } from '../explorer-context.ts';
import { LazyBoundary } from '../lazy-boundary.tsx';

const Minimap = lazy(async () => ({ default: (await import('./minimap.tsx')).Minimap }));

/** Shows the minimap while part of the chart is out of view, unless the user has closed it. */
export function MinimapCorner({ stage }: { stage: Stage | undefined }) {
  const isOpen = useLook((state) => state.minimapOpen);
  const isUseful = useHiddenParts(stage);
  if (!stage || !isOpen || !isUseful) return null;
  return (
    <LazyBoundary>
      <Minimap stage={stage} />
    </LazyBoundary>
  );
}

/** Whether part of the chart is out of view. */
function useHiddenParts(stage: Stage | undefined): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    const look = () => {
      const sight = stage?.sight();
      setHidden(sight !== undefined && !seesAll(sight.camera, sight.marks.extent, sight.view, sight.marks.zooms));
    };
    look();
    return stage?.watch(look);
  }, [stage]);
  return isHidden;
}
