import { useCallback, useContext, useRef, useState } from 'react';
import { PopupFailed } from '../../../ui/popup.tsx';

const loadPlaces = () => import('./filter-panel.tsx');

type FilterPlaces = Awaited<ReturnType<typeof loadPlaces>>;

export type FilterToggle = {
  readonly isOpen: boolean;
  /** Undefined until the panel has been requested and its script has loaded. */
  readonly places: FilterPlaces | undefined;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Preloads the script when the user is about to open the panel. */
  readonly warmUp: () => void;
};

/** The open state of the filter panel. It opens once its script has loaded, so it never appears empty. */
export function useFilterPanel(): FilterToggle {
  const [isOpen, setOpen] = useState(false);
  const [places, setPlaces] = useState<FilterPlaces>();
  const failed = useContext(PopupFailed);
  const isLoading = useRef(false);
  const close = useCallback(() => setOpen(false), []);
  const toggle = () => {
    if (isOpen) return close();
    if (isLoading.current) return;
    isLoading.current = true;
    loadPlaces()
      .then((loaded) => {
        setPlaces(loaded);
        setOpen(true);
      }, failed)
      .finally(() => {
        isLoading.current = false;
      });
  };
  const warmUp = () => {
    loadPlaces().catch(() => {
      // This only preloads. The actual request reports the failure.
    });
  };
  return { isOpen, places, toggle, close, warmUp };
}
