import { limits } from '@kc/rules/limits';
import type { PlanEntry, PlanPerson } from '@kc/rules/plan-shapes';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { type Plan, planOf } from '../../model/plan.ts';
import { entryAtNode, type PlanState, plannedEntries } from '../../model/plan-state.ts';
import { none } from '../../tree-data/columns.ts';
import { useExplorer, useLook, useLooks } from '../explorer-context.ts';

export const usePlan = (): Plan => planOf(useExplorer());
export const usePlanState = (): PlanState => useStore(usePlan().store);

/** The entries in the plan, in the order of the list. */
export function usePlannedEntries() {
  const state = usePlanState();
  return useMemo(() => plannedEntries(state), [state]);
}

/** The node that the plan is about: the selected one, or the focus. Its entry, if it has one. */
export function usePlannedNode() {
  const { tree } = useExplorer();
  const { selected, focus } = useLooks('selected', 'focus');
  useLook((look) => look.treeVersion);
  const state = usePlanState();
  const row = selected === none ? focus : selected;
  const isNode = tree.size > 0 && row > 0;
  return { row, isNode, entry: isNode ? entryAtNode(state, tree.addressOf(row)) : undefined };
}

/** Figures of the whole plan, and of the branch that it is about, if that is one. */
export function usePlanTotals() {
  const explorer = useExplorer();
  const plan = usePlan();
  const { tree } = explorer;
  const { row, isNode } = usePlannedNode();
  const { revision } = usePlanState();
  const branch = isNode && tree.childCount[row]! > 0 && !tree.isLeftOut(row) ? tree.node[row]! : undefined;
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['plan totals', explorer.id, revision, branch],
    queryFn: async () => (await plan.calls()).totals(branch),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
  return { data, branch, isOfBefore: isPlaceholderData };
}

/**
 * Figures of the entries under the filter of the map. Those of before are kept while new ones are loaded.
 *
 * @returns undefined data until they are known
 */
export function usePlanFigures() {
  const explorer = useExplorer();
  const plan = usePlan();
  const { revision } = usePlanState();
  const filter = useLook((look) => look.filter);
  return useQuery({
    queryKey: ['plan figures', explorer.id, revision, filter],
    queryFn: async ({ signal }) => (await plan.calls()).figures(filter, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
}

/** Who can be made an owner; nobody until that is known, or if it cannot be. */
export function usePlanPeople(): readonly PlanPerson[] {
  const explorer = useExplorer();
  const plan = usePlan();
  const { data } = useQuery({
    queryKey: ['plan people', explorer.id],
    queryFn: async () => (await plan.calls()).people(),
    staleTime: limits.planPeopleKeptMs,
  });
  useEffect(() => {
    if (data) plan.know(data);
  }, [data, plan]);
  return data ?? nobody;
}

const nobody: readonly PlanPerson[] = [];

/** Where entries without a node may belong, and branches that hold other keywords than when they were planned. */
export function usePlanSuggestions() {
  const explorer = useExplorer();
  const plan = usePlan();
  const { revision, isLoaded, entries } = usePlanState();
  return useQuery({
    queryKey: ['plan suggestions', explorer.id, revision],
    queryFn: async () => (await plan.calls()).suggestions(),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
    enabled: isLoaded && entries.size > 0,
  });
}

/** The primary keyword of an entry that nobody chose one for; undefined until it is known, or if it has none. */
export function useDefaultKeyword({ kind, path }: PlanEntry): string | undefined {
  const { data, isOfBefore } = usePlanTotals();
  if (kind === 'keyword') return path.at(-1);
  return isOfBefore ? undefined : data?.usualKeyword;
}

/**
 * Saves what is typed when its field goes away: with its entry, its row or its panel. The browser tells no page that a field
 * was left that is no longer there.
 *
 * @param save undefined while nothing is typed
 */
export function useSavedWhenGone(save: (() => void) | undefined): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => () => latest.current?.(), []);
}
