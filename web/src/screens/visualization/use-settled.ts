import type { Visualization } from '@kc/rules/shapes';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { isArrival, type Settled, settle, settledOn } from './choice.ts';

/** Under which the page remembers what was made active on it last. */
export const activatedHereKey = ['activated-here'];

const nothing: readonly Visualization[] = [];

/** {@link settle} over the time that the page is open, and how to go on to what waits. */
export function useSettled(all: readonly Visualization[] | undefined, wanted: string | undefined) {
  const queries = useQueryClient();
  const chosenHere = queries.getQueryData<string>(activatedHereKey);
  const [before, setBefore] = useState<Settled>();
  const [arrivedAt, setArrivedAt] = useState<string>();
  const { shown, newer } = settle(all ?? nothing, wanted, before, chosenHere);
  const shownId = shown?.id;
  const arrival = isArrival(shown, before) ? shownId : arrivedAt;
  useEffect(() => {
    if (!all) return;
    setBefore(settledOn(all, shownId, newer));
    setArrivedAt(arrival);
    // From now on that is one as any other.
    if (shownId === chosenHere) queries.removeQueries({ queryKey: activatedHereKey });
  }, [all, shownId, newer, arrival, chosenHere, queries]);
  const goOn = () => {
    if (!all || !newer) return;
    if (isArrival(newer, before)) setArrivedAt(newer.id);
    setBefore(settledOn(all, newer.id, undefined));
  };
  /** Whether an address that names none means the same. */
  const isDefault = settle(all ?? nothing, undefined, before, chosenHere).shown?.id === shownId;
  return { shown, newer, goOn, isDefault, arrival };
}
