import type { WarningKind } from '@kc/pack/vocabulary/warnings';
import { limits } from '@kc/rules/limits';
import type { WarningLine } from '@kc/rules/warning-shapes';
import type { QueryClient } from '@tanstack/react-query';
import type { Explorer } from '../../model/explorer.ts';
import { summaryOf, warningsKey } from './use-warnings.tsx';
import { kindNames, reasonOf, titleOf } from './warning-texts.ts';

/**
 * Goes to the next or previous warning in the order of the tab, and opens its line.
 *
 * @returns its line; undefined if there is none
 */
export async function stepWarnings(
  explorer: Explorer,
  queries: QueryClient,
  by: 1 | -1,
): Promise<WarningLine | undefined> {
  const { store, source } = explorer;
  const { filter, warning } = store.getState();
  const { kinds } = await queries.fetchQuery(summaryOf(explorer, filter));
  const listed = kinds.filter(({ count }) => count > 0);
  const all = listed.reduce((sum, { count }) => sum + count, 0);
  if (all === 0) return undefined;
  const before = (kind: WarningKind) => {
    const at = listed.findIndex((one) => one.kind === kind);
    return at < 0 ? undefined : listed.slice(0, at).reduce((sum, { count }) => sum + count, 0);
  };
  const start = warning && warning.filter === filter ? before(warning.kind) : undefined;
  const from = start === undefined ? (by === 1 ? -1 : 0) : start + warning!.index;
  let index = (from + by + all) % all;
  const kind = listed.find(({ count }) => {
    if (index < count) return true;
    index -= count;
    return false;
  })!.kind;
  const first = index - (index % limits.warningsAtATime);
  const { lines } = await queries.fetchQuery({
    queryKey: [...warningsKey(explorer), 'step', kind, first, filter],
    queryFn: ({ signal }) => source.warnings.page({ kind, from: first, filter }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const line = lines[index - first];
  if (!line || store.getState().filter !== filter) return undefined;
  store.setState({ warning: { kind, index, filter }, panel: 'warnings', detailOpen: true });
  if (line.node > 0) await explorer.goToNode(line.node, 'beside');
  return line;
}

/** Goes to the next or previous warning, and says which it is. */
export async function stepByKey(explorer: Explorer, queries: QueryClient, by: 1 | -1): Promise<void> {
  const { store } = explorer;
  try {
    const line = await stepWarnings(explorer, queries, by);
    const spoken = line
      ? `${kindNames[line.kind]}: ${titleOf(line)}. ${reasonOf(line)}`
      : 'No warnings with these thresholds.';
    store.setState({ spoken });
  } catch (failure) {
    store.setState({ notice: explorer.explain(failure) });
  }
}
