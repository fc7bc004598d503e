import { limits } from '@kc/rules/limits';
import type { PlanEntry, PlanPerson } from '@kc/rules/plan-shapes';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { currentRow } from '../../model/explorer-state.ts';
import { type Plan, planOf } from '../../model/plan.ts';
import { entryAtNode, type PlanState, plannedEntries } from '../../model/plan-state.ts';
import type { PlanCalls } from '../../model/source.ts';
import { useExplorer, useLook } from '../explorer-context.ts';

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
  const row = useLook(currentRow);
  useLook((look) => look.treeVersion);
  const state = usePlanState();
  const isNode = tree.size > 0 && row > 0;
  return { row, isNode, entry: isNode ? entryAtNode(state, tree.addressOf(row)) : undefined };
}

/**
 * What the server says about the plan. The answer to a former state of it is kept while the new one is loaded.
 *
 * @param about what the question depends on, apart from the plan
 */
export function usePlanAnswer<T>(
  name: string,
  about: string | number | undefined,
  ask: (calls: PlanCalls, signal: AbortSignal) => Promise<T>,
  isEnabled = true,
) {
  const { id } = useExplorer();
  const plan = usePlan();
  const { revision } = usePlanState();
  return useQuery<T>({
    queryKey: [name, id, revision, about],
    queryFn: ({ signal }) => ask(plan.calls, signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
    enabled: isEnabled,
  });
}

/** Figures of the whole plan, and of the branch that it is about, if that is one. */
export function usePlanTotals() {
  const { tree } = useExplorer();
  const { row, isNode } = usePlannedNode();
  const branch = isNode && tree.childCount[row]! > 0 && !tree.isLeftOut(row) ? tree.node[row]! : undefined;
  const { data, isPlaceholderData } = usePlanAnswer('plan totals', branch, (calls) => calls.totals({ branch }));
  return { data, branch, isOfBefore: isPlaceholderData };
}

/** Figures of the entries under the filter of the map. */
export function usePlanFigures() {
  const filter = useLook((look) => look.filter);
  return usePlanAnswer('plan figures', filter, (calls, signal) => calls.figures({ filter }, { signal }));
}

/** Who can be made an owner; nobody until that is known, or if it cannot be. */
export function usePlanPeople(): readonly PlanPerson[] {
  const explorer = useExplorer();
  const plan = usePlan();
  const { data } = useQuery({
    queryKey: ['plan people', explorer.id],
    queryFn: () => plan.calls.people({}),
    staleTime: limits.planPeopleKeptMs,
  });
  useEffect(() => {
    if (data) plan.addPeople(data.people);
  }, [data, plan]);
  return data?.people ?? nobody;
}

const nobody: readonly PlanPerson[] = [];

/** Where entries without a node may belong, and branches that hold other keywords than when they were planned. */
export function usePlanSuggestions() {
  const { isLoaded, entries } = usePlanState();
  const isEnabled = isLoaded && entries.size > 0;
  return usePlanAnswer('plan suggestions', undefined, (calls) => calls.suggestions({}), isEnabled);
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
export function useSaveOnUnmount(save: (() => void) | undefined): void {
  const latest = useRef(save);
  latest.current = save;
  useEffect(() => () => latest.current?.(), []);
}
