import { say } from '@kc/rules/messages';
import type { Camera } from '../layouts/layout.ts';
import type { HeldTree } from '../store/held-tree.ts';
import type { AddressBar } from './address-bar.ts';
import { type ExplorerState, type ExplorerStore, none } from './explorer-state.ts';
import { pathTo } from './tree-walk.ts';
import { isStep, readUrlState, type UrlState, writeUrlState } from './url-state.ts';

type SyncParts = {
  /** How addresses name the visualization; those of another one are none of ours. */
  readonly linkId: string;
  /** Whether an address without a name means it too. */
  readonly isDefault: boolean;
  readonly tree: HeldTree;
  readonly store: ExplorerStore;
  readonly bar: AddressBar;
  readonly findAddress: (address: string) => Promise<number>;
};

/** How long the camera rests before the address says where it is. Source: experience.md §5.5. */
const restMs = 400;

/**
 * Keeps the page's address and the explorer's state saying the same.
 *
 * Until the place of the first address is restored nothing is written, so that a link is not lost on the way to it.
 */
export function syncAddress({ linkId, isDefault, tree, store, bar, findAddress }: SyncParts) {
  let camera: Camera | undefined = readUrlState(bar.read()).camera;
  let following = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function current(): UrlState {
    const state = store.getState();
    return {
      visualization: readUrlState(bar.read()).visualization,
      view: state.view,
      focus: state.focus === 0 ? undefined : tree.addressOf(state.focus),
      selected: state.selected === none ? undefined : tree.addressOf(state.selected),
      depth: state.depth,
      colour: state.colour,
      size: state.size,
      query: state.query,
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
    return visualization === undefined ? isDefault : visualization === linkId;
  };

  /** Makes the state what the address says. */
  async function restore(): Promise<void> {
    following = false;
    const url = readUrlState(bar.read());
    const { view, depth, colour, size, query, theme } = url;
    const focus = await rowAt(url.focus);
    const selected = await rowAt(url.selected);
    camera = url.camera;
    const path = [...pathTo(tree, Math.max(0, focus)), ...(selected > 0 ? pathTo(tree, tree.parent[selected]!) : [])];
    store.setState({
      view,
      depth,
      colour,
      size,
      query,
      theme,
      focus: Math.max(0, focus),
      selected,
      expanded: new Set([...store.getState().expanded, ...path]),
      notice: missingNotice(url, focus),
    });
    following = true;
  }

  async function rowAt(address: string | undefined): Promise<number> {
    return address === undefined ? none : findAddress(address).catch(() => none);
  }

  const stopWatching = store.subscribe((now, before) => {
    if (stepFields.some((field) => now[field] !== before[field])) {
      // Another picture: where the camera stood in the one before means nothing in it.
      if (following) camera = undefined;
      write();
    } else if (lookFields.some((field) => now[field] !== before[field])) writeSoon();
  });
  const stopListening = bar.listen(() => {
    if (isOurs() && writeUrlState(current()) !== writeUrlState(readUrlState(bar.read()))) void restore();
  });

  return {
    restore,
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

const stepFields = ['focus', 'view'] as const satisfies readonly (keyof ExplorerState)[];
const lookFields = ['selected', 'depth', 'colour', 'size', 'query'] as const satisfies readonly (keyof ExplorerState)[];

function missingNotice(url: UrlState, focus: number): string | undefined {
  if (url.focus === undefined || focus !== none) return undefined;
  return say('explore/place-missing');
}
