import type { Visualization } from '@kc/rules/shapes';
import { sampleId } from '@kc/rules/visualization';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** The visualization to open: the one that is named, else the active one, else the newest of one's own. */
export function chosenFrom(all: readonly Visualization[], wanted: string | undefined): Visualization | undefined {
  if (wanted === sampleId) return all.find((one) => one.isSample);
  if (wanted !== undefined) return all.find((one) => one.id === wanted);
  const own = all.filter((one) => !one.isSample);
  return own.find((one) => one.isActive) ?? own[0];
}

/** What a page showed when it looked last, and what its reader knew of by then, by ids. */
type Settled = {
  readonly shown: string | undefined;
  readonly known: ReadonlySet<string>;
  /** What was the active one, and waited for nobody. */
  readonly active: string | undefined;
  /** Whether there was anything of one's own among what is known. */
  readonly hadOwn: boolean;
};

/**
 * What a page shows of what there is now, and what has come in or was made active while it was open, opens by itself from
 * now on and waits to be asked for: nobody's picture is taken away. Whoever made it active on this page is shown it at once.
 *
 * @param wanted what the address names
 * @param chosenHere what was made active on this page last
 */
export function settle(
  all: readonly Visualization[],
  wanted: string | undefined,
  before: Settled | undefined,
  chosenHere?: string,
): { readonly shown: Visualization | undefined; readonly newer: Visualization | undefined } {
  const usual = chosenFrom(all, undefined);
  const isNews =
    usual !== undefined &&
    before !== undefined &&
    usual.id !== chosenHere &&
    (!before.known.has(usual.id) || (usual.isActive && usual.id !== before.active));
  const held = wanted === undefined && isNews ? all.find(({ id }) => id === before.shown) : undefined;
  const shown = held ?? chosenFrom(all, wanted);
  return { shown, newer: isNews && shown !== undefined && shown.id !== usual.id ? usual : undefined };
}

/** What the page shows now. Everything that is there is known, but for what still waits. */
export function settledOn(
  all: readonly Visualization[],
  shown: string | undefined,
  newer: Visualization | undefined,
): Settled {
  const known = all.filter(({ id }) => id !== newer?.id);
  return {
    shown,
    known: new Set(known.map(({ id }) => id)),
    active: known.find(({ isActive, isSample }) => isActive && !isSample)?.id,
    hadOwn: known.some(({ isSample }) => !isSample),
  };
}

/** Whether it is the first of their own that somebody sees, who has waited for it on this page. */
export function isArrival(shown: Visualization | undefined, before: Settled | undefined): boolean {
  return shown !== undefined && !shown.isSample && before !== undefined && !before.hadOwn;
}

/** Whether a person may make it the one that opens by itself: one of their own, and not the active one already. */
export function canActivate(one: Visualization, own: readonly Visualization[]): boolean {
  return !one.isSample && !one.isActive && isOwn(one, own);
}

/** Whether it is in the list of what a person has; admins may open others too. */
export function isOwn(one: Visualization, own: readonly Visualization[]): boolean {
  return own.some(({ id }) => id === one.id);
}

/** How links name it: the sample has a name of its own on every server. */
export function linkId(visualization: Visualization): string {
  return visualization.isSample ? sampleId : visualization.id;
}

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
