import { sayError } from '@kc/rules/all-messages';
import type { QueryClient } from '@tanstack/react-query';
import type { RouterHistory } from '@tanstack/react-router';
import { client } from '../../../api/client.ts';
import { createExplorer, type Explorer } from '../../../explore/model/explorer.ts';
import type { ExplorerState } from '../../../explore/model/explorer-state.ts';
import { restoreColourAids } from '../../../explore/panels/legend/colour-aids.ts';
import { rememberPanels, roomNow } from '../../../explore/panels/remember-panels.ts';
import { sourceOf } from '../explorer-source.ts';
import { retryWhileRebuilt } from '../retry-while-rebuilt.ts';
import type { AppliedEdit } from './draft-editor.ts';
import { createRevisionBar, placesAfter } from './revision-bar.ts';

type RevisionDeps = {
  readonly draftId: string;
  /** The ID under which the revision is read. */
  readonly viewId: string;
  readonly queries: QueryClient;
  readonly history: RouterHistory;
  /** The explorer on the screen, which stays there until the next one has loaded. */
  readonly before: Explorer | undefined;
  /** What the edits between both did. */
  readonly applied: readonly AppliedEdit[];
  /** Whether it should still be shown; false once another one is opened or the page has been left. */
  readonly isCurrent: () => boolean;
};

/**
 * Opens a revision of a draft: camera, focus, selection and expanded rows are those of the explorer before, by path; the
 * result of the operation is selected.
 *
 * @returns undefined if it was no longer current when it had loaded; the explorer before is then as it was
 * @throws what `toRefusal` understands, if the revision does not exist
 */
export async function openRevision(deps: RevisionDeps): Promise<Explorer | undefined> {
  const { draftId, viewId, queries, history, before, applied } = deps;
  const visualization = await client.visualizations.get({ id: viewId });
  const addressBar = createRevisionBar(history, draftId);
  const hold = (selectsResult: boolean) =>
    before && addressBar.hold(placesAfter(before.address.link(), applied, selectsResult));
  const selected = before?.store.getState().selected;
  // Whoever has selected something else while the edit was being saved stays there.
  const requestedAt = applied.at(-1)?.requestedAt;
  const hasMoved = requestedAt !== undefined && requestedAt.viewId === before?.id && requestedAt.row !== selected;
  hold(!hasMoved);
  const explorer = createExplorer({
    visualization,
    linkId: draftId,
    isDraft: true,
    alwaysFields: ['similarity'],
    isDefault: () => false,
    source: sourceOf(viewId, queries),
    addressBar,
    room: roomNow(),
    explain: sayError,
  });
  explorer.onStop(retryWhileRebuilt(explorer));
  restoreColourAids(explorer);
  rememberPanels(explorer);
  if (before) explorer.store.setState(lookOf(before));
  const link = before?.address.link();
  await explorer.start();
  if (!deps.isCurrent()) return discarded(explorer);
  if (before) {
    // If the person has moved elsewhere while it was loading, that takes precedence over the result.
    if (before.address.link() !== link) {
      hold(!hasMoved && before.store.getState().selected === selected);
      await explorer.address.restore();
      if (!deps.isCurrent()) return discarded(explorer);
    }
    explorer.store.setState({ ...lookOf(before), notice: undefined });
    expandAgain(explorer, expandedIn(before, applied));
    before.stop();
  }
  addressBar.goLive();
  return explorer;
}

function discarded(explorer: Explorer): undefined {
  explorer.stop();
}

/** State that neither the address contains nor depends on rows: how it looks, and what is open. */
const lookFields = [
  'outlineOpen',
  'detailOpen',
  'minimapOpen',
  'isColourBlindSafe',
  'patterns',
  'tableSort',
  'defaultDepth',
  'autoExpand',
  'barPanel',
  'scoreDraft',
  'helpOpen',
  'reportOpen',
] as const satisfies readonly (keyof ExplorerState)[];

function lookOf({ store }: Explorer): Partial<ExplorerState> {
  const state = store.getState();
  return Object.fromEntries(lookFields.map((field) => [field, state[field]]));
}

/** The addresses of the rows that are expanded, as they are after edits. */
function expandedIn({ tree, store }: Explorer, applied: readonly AppliedEdit[]): Set<string> {
  const addresses = [...store.getState().expanded].filter((row) => row < tree.size).map((row) => tree.addressOf(row));
  return new Set(addresses.map((address) => applied.reduce((at, { addresses: now }) => now.get(at) ?? at, address)));
}

/** Expands the rows with these addresses: those that are loaded now, the others when they are. */
function expandAgain({ tree, store }: Explorer, addresses: Set<string>): void {
  let next = 0;
  let { content } = tree;
  const expand = () => {
    if (tree.content !== content) next = 0;
    ({ content } = tree);
    const rows: number[] = [];
    for (; next < tree.size; next++) if (addresses.delete(tree.addressOf(next))) rows.push(next);
    if (rows.length > 0) store.setState(({ expanded }) => ({ expanded: new Set([...expanded, ...rows]) }));
  };
  expand();
  store.subscribe((now, earlier) => {
    if (now.treeVersion !== earlier.treeVersion && addresses.size > 0) expand();
  });
}
