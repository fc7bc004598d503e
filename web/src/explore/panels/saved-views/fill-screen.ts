/**
 * Fills the screen with the page, where the browser allows that.
 *
 * @param onLeft told when the screen is not filled any more, by the browser's own Escape say
 * @returns gives the screen back
 */
export function fillScreen(onLeft: () => void): () => void {
  let isFilled = false;
  const changed = () => {
    if (document.fullscreenElement) isFilled = true;
    else if (isFilled) onLeft();
  };
  document.addEventListener('fullscreenchange', changed);
  // Without it everything is there too, in a smaller window; the types do not know browsers that have none of it.
  const filling = document.fullscreenElement
    ? undefined
    : (document.documentElement.requestFullscreen as (() => Promise<void>) | undefined)?.call(document.documentElement);
  filling?.catch(() => undefined);
  return () => {
    document.removeEventListener('fullscreenchange', changed);
    if (isFilled && document.fullscreenElement) void document.exitFullscreen();
  };
}
