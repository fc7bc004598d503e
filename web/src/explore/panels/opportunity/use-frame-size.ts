import { type RefObject, useLayoutEffect, useState } from 'react';

const nothing = { width: 0, height: 0 };

/** The size of an element in CSS pixels, as it changes; 0 by 0 before it is known. */
export function useFrameSize(frame: RefObject<HTMLElement | null>) {
  const [size, setSize] = useState(nothing);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return;
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const watch = new ResizeObserver(measure);
    watch.observe(element);
    return () => watch.disconnect();
  }, [frame]);
  return size;
}
