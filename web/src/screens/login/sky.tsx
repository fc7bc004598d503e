import { limits } from '@kc/rules/limits';
import { useEffect, useRef } from 'react';
import { createWorker } from '../../trusted-worker.ts';
import type { SkyMessage } from './starfield.worker.ts';
import workerUrl from './starfield.worker.ts?worker&url';

type Props = {
  /** How fast the stars drift; 1 is the slow drift of a quiet page. */
  readonly speed: number;
};

/** The starry sky, drawn off the main thread at 20 frames a second; still when less motion is wanted. */
export function Sky({ speed }: Props) {
  const place = useRef<HTMLDivElement>(null);
  const worker = useRef<Worker>(undefined);

  useEffect(() => {
    const element = place.current;
    if (!element || !('transferControlToOffscreen' in HTMLCanvasElement.prototype)) return;
    const canvas = document.createElement('canvas');
    canvas.className = 'size-full';
    element.append(canvas);
    const sky = createWorker(workerUrl, 'sky');
    worker.current = sky;

    const offscreen = canvas.transferControlToOffscreen();
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    sky.postMessage({ say: 'start', canvas: offscreen, still } satisfies SkyMessage, [offscreen]);
    const tellSize = () => sky.postMessage(sizeOf(element));
    const tellVisible = () => sky.postMessage({ say: 'visible', visible: !document.hidden } satisfies SkyMessage);
    tellSize();

    let debounce: ReturnType<typeof setTimeout>;
    const onResize = () => {
      clearTimeout(debounce);
      debounce = setTimeout(tellSize, limits.resizeDebounceMs);
    };
    addEventListener('resize', onResize);
    document.addEventListener('visibilitychange', tellVisible);
    return () => {
      clearTimeout(debounce);
      removeEventListener('resize', onResize);
      document.removeEventListener('visibilitychange', tellVisible);
      sky.terminate();
      canvas.remove();
    };
  }, []);

  useEffect(() => {
    worker.current?.postMessage({ say: 'speed', speed } satisfies SkyMessage);
  }, [speed]);

  return <div ref={place} aria-hidden className="pointer-events-none fixed inset-0" />;
}

function sizeOf(element: HTMLElement): SkyMessage {
  const { width, height } = element.getBoundingClientRect();
  const count = width < limits.mobileBelowPx ? limits.starsMobile : limits.starsDesktop;
  return { say: 'size', width, height, ratio: Math.min(2, devicePixelRatio), count };
}
