/** The size of a canvas on screen in CSS pixels, and device pixels a CSS pixel. */
export type CanvasSize = { readonly width: number; readonly height: number; readonly dpr: number };

/**
 * Keeps a canvas' buffer at exactly the device pixels it covers, so that edges stay sharp at every browser zoom.
 *
 * @param onFit called with the size once at first and after every change, the buffer already resized (and empty)
 * @param onHeight called before it becomes higher or lower and stays as wide, with the picture still on it
 * @param maxDpr caps the buffer on very dense screens
 * @returns stops it
 */
export function fitCanvas(
  canvas: HTMLCanvasElement,
  onFit: (size: CanvasSize) => void,
  onHeight?: () => void,
  maxDpr = 2,
): () => void {
  const observer = new ResizeObserver((entries) => {
    const entry = entries[entries.length - 1];
    if (!entry) return;
    const size = sizeOf(entry, maxDpr);
    const [deviceWidth, deviceHeight] = [Math.round(size.width * size.dpr), Math.round(size.height * size.dpr)];
    if (canvas.width === deviceWidth && canvas.height !== deviceHeight) onHeight?.();
    if (canvas.width !== deviceWidth) canvas.width = deviceWidth;
    if (canvas.height !== deviceHeight) canvas.height = deviceHeight;
    onFit(size);
  });
  try {
    observer.observe(canvas, { box: 'device-pixel-content-box' });
  } catch {
    // Safari has no device-pixel-content-box: its size follows from the pixel ratio.
    observer.observe(canvas);
  }
  return () => observer.disconnect();
}

function sizeOf(entry: ResizeObserverEntry, maxDpr: number): CanvasSize {
  const { width, height } = entry.contentRect;
  const device = entry.devicePixelContentBoxSize?.[0];
  const measured = device && width > 0 ? device.inlineSize / width : window.devicePixelRatio;
  // Chromium's device emulation measures CSS pixels there; anywhere else the two differ by a rounded pixel at most.
  const dpr = Math.abs(measured - window.devicePixelRatio) < 0.1 ? measured : window.devicePixelRatio;
  return { width, height, dpr: Math.min(dpr, maxDpr) };
}
