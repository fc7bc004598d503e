import { say } from '@kc/rules/messages';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import type { AddressBar } from './address-bar.ts';
import type { Camera } from './camera.ts';
import type { Away, Compared } from './compared-nodes.ts';
import type { ExplorerState, ExplorerStore } from './explorer-state.ts';
import { keptAround, pathTo } from './tree-walk.ts';
import { isStep, readUrlState, type UrlState, writeUrlState } from './url-state.ts';

type SyncDeps = {
  /** How addresses name the visualization; those of another one are none of ours. */
  readonly linkId: string;
  /** Whether an address without a name means it too. */
  readonly isDefault: () => boolean;
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly bar: AddressBar;
  /** @throws what `explain` can say, when it could not be asked */
  readonly findAddress: (address: string) => Promise<LocatedNode>;
  /** What an address leads to without a filter; undefined when nobody knows it. @throws as `findAddress` does */
  readonly findAway: (address: string) => Promise<Away | undefined>;
  /** Shows what a filter keeps. @returns whether that is shown; why it is not is a notice then */
  readonly setFilter: (filter: string, settleMs: number, faint: boolean) => Promise<boolean>;
  /** What a failed call says to a person. */
  readonly explain: (failure: unknown) => string;
};

/** The row of an address or, with the name of what is `gone`, of its nearest ancestor; `none` when nobody knows it. */
export type LocatedNode = { readonly row: number; readonly gone: string | undefined };

/** How long the camera rests before the address says where it is. Source: experience.md §5.5. */
const restMs = 400;

/**
 * Keeps the page's address and the explorer's state saying the same.
 *
 * Until the place of the first address is restored nothing is written, so that a link is not lost on the way to it.
 */
export function syncAddress(deps: SyncDeps) {
  const { linkId, isDefault, tree, store, bar, findAddress, findAway, setFilter, explain } = deps;
  let camera: Camera | undefined = readUrlState(bar.read()).camera;
  let following = false;
  let restoring = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function current(): UrlState {
    const state = store.getState();
    return {
      visualization: readUrlState(bar.read()).visualization,
      view: state.view,
      focus: state.focus === 0 ? undefined : tree.addressOf(state.focus),
      selected: state.selected === none ? undefined : tree.addressOf(state.selected),
      compared: state.compared.map((one) => (typeof one === 'number' ? tree.addressOf(one) : one.address)),
      depth: state.depth,
      colour: state.colour,
      size: state.size === state.usualSize ? undefined : state.size,
      steps: state.steps,
      x: state.x,
      y: state.y,
      query: state.query,
      match: state.match,
      filter: state.filter,
      isFaint: state.isFaint,
      theme: state.theme,
      camera,
    };
  }

  function write(): void {
    clearTimeout(timer);
    if (!following || !isOurs()) return;
    const now = current();
    const shown = readUrlState(bar.read());
    if (writeUrlState(now) !== writeUrlState(shown))
      bar.write(writeUrlState(now), isStep(shown, now) ? 'push' : 'replace');
  }

  function writeSoon(): void {
    clearTimeout(timer);
    timer = setTimeout(write, restMs);
  }

  const isOurs = () => {
    const { visualization } = readUrlState(bar.read());
    return visualization === undefined ? isDefault() : visualization === linkId;
  };

  /** Makes the state what the address says. */
  async function restore(): Promise<void> {
    following = false;
    const mine = ++restoring;
    const url = readUrlState(bar.read());
    const { filter, isFaint } = url;
    const before = store.getState();
    const isKept = await setFilter(filter, 0, isFaint);
    if (mine !== restoring) return;
    const place = await placeAt(url.focus);
    // Somebody went back once more meanwhile, or elsewhere.
    if (mine !== restoring) return;
    const choice = await placeAt(url.selected);
    if (mine !== restoring) return;
    const others: Awaited<ReturnType<typeof comparedAt>>[] = [];
    for (const address of url.compared) {
      others.push(await comparedAt(address));
      if (mine !== restoring) return;
    }
    // A leaf has no inside: its parent is looked into.
    const near = tree.childCount[place.row] === 0 ? tree.parent[place.row]! : place.row;
    const focus = Math.max(0, keptAround(tree, near));
    const selected = choice.row;
    const isElsewhere = place.notice !== undefined;
    camera = isElsewhere ? undefined : url.camera;
    const path = [...pathTo(tree, focus), ...(selected > 0 ? pathTo(tree, tree.parent[selected]!) : [])];
    store.setState({
      ...unlessChanged(before, store.getState(), { ...url, size: url.size ?? before.usualSize }),
      focus,
      selected,
      compared: [...new Set(others.flatMap(({ one }) => (one === undefined ? [] : [one])))],
      followed: store.getState().followed + 1,
      expanded: new Set([...store.getState().expanded, ...path]),
      notice: place.notice ?? choice.notice ?? (isKept ? undefined : store.getState().notice),
    });
    following = true;
    // The address says from now on what is shown; Back must not lead to what is gone.
    if (
      isKept &&
      place.isKnown &&
      choice.isKnown &&
      others.every(({ isKnown }) => isKnown) &&
      isOurs() &&
      writeUrlState(current()) !== writeUrlState(readUrlState(bar.read()))
    )
      bar.write(writeUrlState(current()), 'replace');
  }

  /** Where an address leads, what is to be said about that, and whether the answer is one: it may not have come. */
  async function placeAt(
    address: string | undefined,
  ): Promise<{ readonly row: number; readonly notice?: string; readonly isKnown: boolean }> {
    if (address === undefined) return { row: none, isKnown: true };
    try {
      const { row, gone } = await findAddress(address);
      if (row === none) return { row, notice: say('explore/place-missing'), isKnown: true };
      if (gone === undefined && tree.addressOf(row) === address) return { row, isKnown: true };
      if (gone === undefined)
        return { row, notice: say('explore/place-filtered', { shown: tree.name(row) }), isKnown: true };
      return { row, notice: say('explore/place-gone', { name: gone, shown: tree.name(row) }), isKnown: true };
    } catch (failure) {
      return { row: none, notice: explain(failure), isKnown: false };
    }
  }

  /** What is compared at an address; one that the filter leaves out is compared on. */
  async function comparedAt(
    address: string,
  ): Promise<{ readonly one: Compared | undefined; readonly isKnown: boolean }> {
    const { row, notice, isKnown } = await placeAt(address);
    if (row === none || notice === undefined) return { one: row === none ? undefined : row, isKnown };
    try {
      return { one: await findAway(address), isKnown };
    } catch {
      return { one: undefined, isKnown: false };
    }
  }

  const stopWatching = store.subscribe((now, before) => {
    if (stepFields.some((field) => now[field] !== before[field])) {
      // Another picture: where the camera stood in the one before means nothing in it. Under another filter it stays.
      if (following && (now.focus !== before.focus || now.view !== before.view)) camera = undefined;
      write();
    } else if (lookFields.some((field) => now[field] !== before[field])) writeSoon();
  });
  const stopListening = bar.listen(() => {
    if (isOurs() && writeUrlState(current()) !== writeUrlState(readUrlState(bar.read()))) void restore();
  });

  return {
    restore,
    /** Somebody goes elsewhere: where the address led is not gone to any more, and follows again. */
    giveUp(): void {
      restoring++;
      following = true;
    },
    /** Shows what another address says; which visualization it is and how light the page stay. */
    open(search: string, how: 'push' | 'replace'): Promise<void> {
      const { visualization, theme } = readUrlState(bar.read());
      bar.write(writeUrlState({ ...readUrlState(search), visualization, theme }), how);
      return restore();
    },
    /** The address of what is shown, with the name of the visualization. */
    link: (): string => writeUrlState({ ...current(), visualization: linkId }),
    /** Where the canvas stands to begin with; undefined is the whole focus. */
    camera: (): Camera | undefined => camera,
    /** The canvas moved; undefined when it shows the whole focus. */
    moved(to: Camera | undefined): void {
      camera = to;
      writeSoon();
    },
    stop(): void {
      clearTimeout(timer);
      stopWatching();
      stopListening();
    },
  };
}

/** What the address says, but for what somebody chose while its place was being looked up: their choice is newer. */
function unlessChanged(
  before: ExplorerState,
  now: ExplorerState,
  url: UrlState & Pick<ExplorerState, 'size'>,
): Partial<ExplorerState> {
  const kept = restoredFields.filter((field) => now[field] === before[field]);
  return Object.fromEntries(kept.map((field) => [field, url[field]]));
}

const restoredFields = [
  'view',
  'depth',
  'colour',
  'size',
  'steps',
  'x',
  'y',
  'query',
  'match',
  'theme',
] as const satisfies readonly (keyof ExplorerState & keyof UrlState)[];

const stepFields = ['focus', 'view', 'filter'] as const satisfies readonly (keyof ExplorerState)[];
const lookFields = [
  'selected',
  'compared',
  'depth',
  'colour',
  'size',
  'steps',
  'x',
  'y',
  'query',
  'match',
  'theme',
  'isFaint',
] as const satisfies readonly (keyof ExplorerState)[];
