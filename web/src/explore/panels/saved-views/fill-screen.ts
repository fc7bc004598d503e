/**
 * Shows the page in full screen, if the browser allows it.
 *
 * @param onLeft called when full screen ends, for example with the browser's Escape
 * @returns a function that leaves full screen
 */
export function fillScreen(onLeft: () => void): () => void {
  let isFilled = false;
  const changed = () => {
    if (document.fullscreenElement) isFilled = true;
    else if (isFilled) onLeft();
  };
  document.addEventListener('fullscreenchange', changed);
  // Without full screen everything still works in the window. The types assume that every browser supports it.
  const filling = document.fullscreenElement
    ? undefined
    : (document.documentElement.requestFullscreen as (() => Promise<void>) | undefined)?.call(document.documentElement);
  filling?.catch(() => undefined);
  return () => {
    document.removeEventListener('fullscreenchange', changed);
    if (isFilled && document.fullscreenElement) void document.exitFullscreen();
  };
}
