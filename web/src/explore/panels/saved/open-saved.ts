import { isOverlayOpen } from '../../../ui/keys.ts';
import { saveViewId } from './save-view-button.tsx';

/** Opens the saved views from the command palette once that has closed, because closing restores the previous focus. */
export function openSaved(): void {
  if (isOverlayOpen()) requestAnimationFrame(openSaved);
  else requestAnimationFrame(() => document.getElementById(saveViewId)?.click());
}
