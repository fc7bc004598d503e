import { type KeyboardEvent, type PointerEvent, useState } from 'react';

type DividerProps = {
  /** The name of the panel that it resizes: "Outline". */
  readonly label: string;
  readonly width: number;
  readonly min: number;
  readonly max: number;
  readonly usual: number;
  /** The side of the divider on which its panel is. */
  readonly panel: 'left' | 'right';
  readonly onWidth: (width: number) => void;
};

const keyStep = 16;

/**
 * The resize handle of a panel: drag it, use the arrow keys (Home and End for the limits), or double-click to reset.
 */
export function Divider({ label, width, min, max, usual, panel, onWidth }: DividerProps) {
  const set = (next: number) => onWidth(Math.round(Math.min(max, Math.max(min, next))));
  const sign = panel === 'left' ? 1 : -1;

  function drag(event: PointerEvent<HTMLElement>) {
    const handle = event.currentTarget;
    const from = event.clientX;
    handle.setPointerCapture(event.pointerId);
    const move = (e: globalThis.PointerEvent) => set(width + sign * (e.clientX - from));
    const stop = () => handle.removeEventListener('pointermove', move);
    handle.addEventListener('pointermove', move);
    handle.addEventListener('lostpointercapture', stop, { once: true });
  }

  function press(event: KeyboardEvent) {
    const to: Partial<Record<string, number>> = {
      ArrowLeft: width - sign * keyStep,
      ArrowRight: width + sign * keyStep,
      Home: min,
      End: max,
    };
    const next = to[event.key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    set(next);
  }

  return (
    <hr
      aria-label={`Width of the ${label}`}
      aria-orientation="vertical"
      aria-valuenow={width}
      aria-valuemin={min}
      aria-valuemax={max}
      tabIndex={0}
      onPointerDown={drag}
      onDoubleClick={() => set(usual)}
      onKeyDown={press}
      className="relative z-10 m-0 w-1 shrink-0 cursor-col-resize touch-none border-0 bg-line before:absolute before:inset-y-0 before:-left-1 before:w-3 hover:bg-brand focus-visible:bg-brand"
    />
  );
}

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
