import { useState } from 'react';

type Limits = { readonly usual: number; readonly min: number; readonly max: number };

/** A panel's width in pixels, stored on this device. */
export function usePanelWidth(panel: string, { usual, min, max }: Limits): [number, (width: number) => void] {
  const key = `explorer.${panel}.width`;
  const [width, setWidth] = useState(() => {
    const kept = Number(localStorage.getItem(key) ?? usual);
    return Number.isFinite(kept) ? Math.min(max, Math.max(min, kept)) : usual;
  });
  return [
    width,
    (next) => {
      setWidth(next);
      localStorage.setItem(key, String(next));
    },
  ];
}
