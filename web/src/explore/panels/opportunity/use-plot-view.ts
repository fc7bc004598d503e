import { useEffect, useState } from 'react';
import { useExplorer, useLook } from '../explorer-context.ts';
import { heldView, type PlotView, wholeView } from './plot-view.ts';

/**
 * What the plot shows, kept in the address. Other axes or another place are seen whole.
 *
 * @param key what the plot shows a part of
 */
export function usePlotView(key: string): readonly [PlotView, (next: PlotView) => void] {
  const { address } = useExplorer();
  const followed = useLook((state) => state.followed);
  const inAddress = () => heldView(address.camera() ?? wholeView);
  const [held, setHeld] = useState(() => ({ key, followed, view: inAddress() }));
  const isFollowing = held.followed !== followed;
  const isOther = !isFollowing && held.key !== key;
  const view = isFollowing ? inAddress() : isOther ? wholeView : held.view;
  if (isFollowing || isOther) setHeld({ key, followed, view });
  // Reading the address is no move; showing the whole is.
  const isWhole = view.k === 1;
  useEffect(() => {
    if (isWhole && address.camera()) address.moved(undefined);
  }, [isWhole, address]);
  const show = (next: PlotView) => {
    setHeld({ key, followed, view: next });
    address.moved(next.k === 1 ? undefined : next);
  };
  return [view, show];
}
