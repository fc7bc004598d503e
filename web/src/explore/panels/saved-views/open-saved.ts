import { isOverlayOpen } from '../../../ui/kept-keys.ts';
import { saveViewId } from './save-view-button.tsx';

/** Opens the saved views from a list of commands, once that is closed: it gives the focus back to where it was before. */
export function openSaved(): void {
  if (isOverlayOpen()) requestAnimationFrame(openSaved);
  else requestAnimationFrame(() => document.getElementById(saveViewId)?.click());
}
