/** Caps the buffer on very dense screens. */
const maxDpr = 2;

/** The size of a canvas on screen in CSS pixels, and device pixels per CSS pixel. */
export type CanvasSize = { readonly width: number; readonly height: number; readonly dpr: number };

/**
 * Keeps the buffer of a canvas at exactly the device pixels it covers, so that edges stay sharp at every browser zoom.
 *
 * @param onFit called with the size once at first and after every change, when the buffer is already resized (and
 * empty)
 * @param onHeight called before only the height changes, with the old drawing still on the canvas
 * @returns stops observing
 */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  onFit: (size: CanvasSize) => void,
  onHeight?: () => void,
): () => void {
  const observer = new ResizeObserver((entries) => {
    const entry = entries[entries.length - 1];
    if (!entry) return;
    const size = sizeOf(entry);
    const [deviceWidth, deviceHeight] = [Math.round(size.width * size.dpr), Math.round(size.height * size.dpr)];
    if (canvas.width === deviceWidth && canvas.height !== deviceHeight) onHeight?.();
    if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
    if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
    onFit(size);
  });
  const stop = new AbortController();
  try {
    observer.observe(canvas, { box: 'device-pixel-content-box' });
  } catch {
    // Safari has no device-pixel-content-box: its size follows from the pixel ratio, which may change alone.
    observer.observe(canvas);
    onPixelRatio(stop.signal, () => {
      observer.unobserve(canvas);
      observer.observe(canvas);
    });
  }
  return () => {
    stop.abort();
    observer.disconnect();
  };
}

/** Calls back when the window has another pixel ratio, as on another screen. */
function onPixelRatio(signal: AbortSignal, onChange: () => void): void {
  const changed = () => {
    onChange();
    onPixelRatio(signal, onChange);
  };
  const same = matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`);
  same.addEventListener('change', changed, { signal, once: true });
}

function sizeOf(entry: ResizeObserverEntry): CanvasSize {
  const { width, height } = entry.contentRect;
  const device = entry.devicePixelContentBoxSize?.[0];
  const measured = device && width > 0 ? device.inlineSize / width : window.devicePixelRatio;
  // Chromium's device emulation reports CSS pixels there; elsewhere the two differ at most by a rounded pixel.
  const dpr = Math.abs(measured - window.devicePixelRatio) < 0.1 ? measured : window.devicePixelRatio;
  return { width, height, dpr: Math.min(dpr, maxDpr) };
}
