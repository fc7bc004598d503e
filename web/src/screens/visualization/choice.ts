import type { Visualization } from '@kc/rules/shapes';
import { sampleId } from '@kc/rules/upload';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';

/** The visualization to open: the named one, else the active one, else the user's newest. */
export function chosenFrom(all: readonly Visualization[], id: string | undefined): Visualization | undefined {
  if (id === sampleId) return all.find((one) => one.isSample);
  if (id !== undefined) return all.find((one) => one.id === id);
  const own = all.filter((one) => !one.isSample);
  return own.find((one) => one.isActive) ?? own[0];
}

/** What the page last showed, and which IDs the user knew then. */
type Settled = {
  readonly shown: string | undefined;
  readonly knownIds: ReadonlySet<string>;
  /** The active one, if it was not waiting to be opened. */
  readonly active: string | undefined;
  /** Whether any of the known ones was the user's own. */
  readonly hadOwn: boolean;
};

/**
 * What the page shows, given what exists now. Visualizations that arrived or became active while the page is open do
 * not open by themselves: they wait until the user opens them, so that no chart is replaced unasked. One that the user
 * activated on this page opens at once.
 *
 * @param requestedId the ID in the address
 * @param chosenHere the ID last activated on this page
 */
export function settle(
  all: readonly Visualization[],
  requestedId: string | undefined,
  before: Settled | undefined,
  chosenHere?: string,
): { readonly shown: Visualization | undefined; readonly newer: Visualization | undefined } {
  const usual = chosenFrom(all, undefined);
  const isNews =
    usual !== undefined &&
    before !== undefined &&
    usual.id !== chosenHere &&
    (!before.knownIds.has(usual.id) || (usual.isActive && usual.id !== before.active));
  const current = requestedId === undefined && isNews ? all.find(({ id }) => id === before.shown) : undefined;
  const shown = current ?? chosenFrom(all, requestedId);
  return { shown, newer: isNews && shown !== undefined && shown.id !== usual.id ? usual : undefined };
}

/** The state that the page shows now. Everything that exists is known, except what still waits. */
export function settledOn(
  all: readonly Visualization[],
  shown: string | undefined,
  newer: Visualization | undefined,
): Settled {
  const existing = all.filter(({ id }) => id !== newer?.id);
  return {
    shown,
    knownIds: new Set(existing.map(({ id }) => id)),
    active: existing.find(({ isActive, isSample }) => isActive && !isSample)?.id,
    hadOwn: existing.some(({ isSample }) => !isSample),
  };
}

/** Whether it is the user's first visualization, which arrived while they waited on this page. */
export function isArrival(shown: Visualization | undefined, before: Settled | undefined): boolean {
  return shown !== undefined && !shown.isSample && before !== undefined && !before.hadOwn;
}

/** Whether the user may make it the active one: it is their own and not active already. */
export function canActivate(one: Visualization, own: readonly Visualization[]): boolean {
  return !one.isSample && !one.isActive && isOwn(one, own);
}

/** Whether what changed between two uploads can be shown: those of one owner, not the sample. */
export function canCompare(one: Visualization, current: Visualization): boolean {
  return one.id !== current.id && one.userId === current.userId && !one.isSample && !current.isSample;
}

/** Whether it belongs in the user's own list; administrators can also open those of others. */
export function isOwn(one: Visualization, own: readonly Visualization[]): boolean {
  return own.some(({ id }) => id === one.id);
}

/** The ID used in links: the sample has the same one on every server. */
export function linkId(visualization: Visualization): string {
  return visualization.isSample ? sampleId : visualization.id;
}

/** The cache key of the ID last activated on this page. */
export const activatedHereKey = ['activated-here'];

const none: readonly Visualization[] = [];

/** {@link settle} over the lifetime of the page, and a function to open what waits. */
export function useSettled(all: readonly Visualization[] | undefined, requestedId: string | undefined) {
  const queries = useQueryClient();
  const chosenHere = queries.getQueryData<string>(activatedHereKey);
  const [before, setBefore] = useState<Settled>();
  const [arrivedAt, setArrivedAt] = useState<string>();
  const { shown, newer } = settle(all ?? none, requestedId, before, chosenHere);
  const shownId = shown?.id;
  const arrival = isArrival(shown, before) ? shownId : arrivedAt;
  useEffect(() => {
    if (!all) return;
    setBefore(settledOn(all, shownId, newer));
    setArrivedAt(arrival);
    // It was opened, so treat it like any other from now on.
    if (shownId === chosenHere) queries.removeQueries({ queryKey: activatedHereKey });
  }, [all, shownId, newer, arrival, chosenHere, queries]);
  const goOn = () => {
    if (!all || !newer) return;
    if (isArrival(newer, before)) setArrivedAt(newer.id);
    setBefore(settledOn(all, newer.id, undefined));
  };
  /** Whether an address without an ID would show the same. */
  const isDefault = settle(all ?? none, undefined, before, chosenHere).shown?.id === shownId;
  return { shown, newer, goOn, isDefault, arrival };
}
