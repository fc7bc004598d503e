import { useCallback, useContext, useRef, useState } from 'react';
import { PopupFailed } from '../../../ui/lazy-popup.tsx';

const loadPlaces = () => import('./filter-places.tsx');

export type FilterPlaces = Awaited<ReturnType<typeof loadPlaces>>;

export type FilterToggle = {
  readonly isOpen: boolean;
  /** Undefined until the panel was asked for and its script is here. */
  readonly places: FilterPlaces | undefined;
  readonly toggle: () => void;
  readonly close: () => void;
  /** Begins to load the script, for somebody who is about to ask. */
  readonly warmUp: () => void;
};

/** Whether the filter panel is open. It opens once its script is here, so it never appears empty. */
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
      // Nobody has asked for it yet. Who does is told.
    });
  };
  return { isOpen, places, toggle, close, warmUp };
}
