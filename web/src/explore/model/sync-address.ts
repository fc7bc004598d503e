import { none } from '../tree-data/columns.ts';
import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import type { Camera } from './camera.ts';
import type { ExplorerState, ExplorerStore } from './explorer-state.ts';
import { type AddressPlacesParts, createAddressPlaces, type FoundPlaces } from './find-nodes.ts';
import { levelOf } from './levels.ts';
import type { Parts } from './parts.ts';
import { type Picked, pickedInLink } from './picked.ts';
import { withoutSeen } from './seen-filter.ts';
import { keptAround, pathTo } from './tree-walk.ts';
import {
  isStep,
  isStepField,
  panelWithoutChanges,
  plainFields,
  plainOf,
  readUrlState,
  type UrlState,
  urlFields,
  withoutUpload,
  writeUrlState,
} from './url-state.ts';

type SyncParts = AddressWriterParts &
  AddressPlacesParts &
  Pick<Parts, 'setFilter'> & {
    /** Rows of flat lists by their IDs. @throws errors of the lookups */
    readonly findPicked: (addresses: readonly string[]) => Promise<Picked>;
    /** Whether these data can be compared with another upload. */
    readonly isComparable: boolean;
  };

/**
 * Keeps the address of the page and the explorer's state in sync.
 *
 * Nothing is written until the places of the first address are restored, so that a link is not lost before.
 */
export function syncAddress(deps: SyncParts) {
  const { tree, store, addressBar } = deps;
  const writer = createAddressWriter(deps);
  const findPlaces = createAddressPlaces(deps);
  let latestCall = 0;
  /** The newest call that has ended. While another one is under way, the state says nothing about where the user is. */
  let lastEndedCall = 0;
  /** The state after reading the first address. Differences from it were made while the top of the tree was loading. */
  let initialState: ExplorerState | undefined = store.getState();

  /** Sets the state to that of the address. The newest call wins. */
  async function restore(): Promise<void> {
    writer.enable(false);
    const call = ++latestCall;
    const isLatest = () => call === latestCall;
    const addressState = readUrlState(addressBar.read());
    const url = withoutItself(addressState);
    const { defaultSize } = store.getState();
    // A filter about changes needs the other upload.
    if (!initialState || addressState.vs !== url.vs) store.setState({ vs: url.vs, thresholds: url.thresholds });
    const before = initialState ?? store.getState();
    initialState = undefined;
    const target = filterToShow(before, store.getState(), url);
    const isFilterShown = await deps.setFilter(target.filter, 0, target.isFaint);
    if (!isLatest()) return;
    const found = await findPlaces(url, isLatest);
    if (!found || !isLatest()) return;
    writer.setCamera(found.focus.notice === undefined ? url.camera : undefined);
    const now = store.getState();
    store.setState({
      ...unlessChanged(before, now, { ...url, size: url.size ?? defaultSize }),
      ...placesIn(tree, found, now),
      addressVersion: now.addressVersion + 1,
      notice: found.focus.notice ?? found.selected.notice ?? (isFilterShown ? undefined : now.notice),
    });
    const isPicked = await pick(url.picked, isLatest);
    if (!isLatest()) return;
    lastEndedCall = call;
    writer.enable(true);
    // From now on the address names what is shown. Back must not lead to what is gone.
    if (isFilterShown && found.isKnown && isPicked && writer.isOutdated()) writer.replace();
  }

  /** Picks the rows that an address names, unless others are picked meanwhile. @returns whether that is certain */
  async function pick(addresses: readonly string[], isLatest: () => boolean): Promise<boolean> {
    const { picked: before } = store.getState();
    // No address names many rows. If many are picked, or the address names none, what is picked stays.
    const isNameable = before.rows.size === 0 || pickedInLink(before).length > 0;
    if (addresses.length === 0 || before.all || !isNameable) return true;
    try {
      const picked = await deps.findPicked(addresses);
      if (isLatest() && store.getState().picked === before) store.setState({ picked });
      return true;
    } catch {
      return false;
    }
  }

  /** The state without a comparison that is impossible, or with the upload itself. */
  function withoutItself(url: UrlState): UrlState {
    if (deps.isComparable && url.vs !== deps.linkId) return url;
    return { ...url, ...withoutUpload, panel: panelWithoutChanges(url.panel) };
  }

  const stopWatching = store.subscribe((now, before) => {
    if (stepFields.some((field) => now[field] !== before[field])) {
      // A camera position means nothing in another chart or branch. Under another filter it stays.
      const isElsewhere = now.focus !== before.focus || now.view !== before.view || levelOf(now) !== levelOf(before);
      if (writer.isEnabled() && isElsewhere) writer.setCamera(undefined);
      writer.write();
    } else if (lookFields.some((field) => now[field] !== before[field])) writer.writeSoon();
  });
  const stopListening = addressBar.listen(() => {
    if (latestCall !== lastEndedCall || writer.isOutdated()) void restore();
  });

  return {
    restore,
    /** The user has gone elsewhere: stops restoring the address, and writes it again. */
    stopRestoring(): void {
      lastEndedCall = ++latestCall;
      writer.enable(true);
    },
    /** Shows what another address says, except for its visualization and theme. */
    open(search: string, mode: 'push' | 'replace'): Promise<void> {
      const { visualization, theme } = readUrlState(addressBar.read());
      addressBar.write(writeUrlState({ ...readUrlState(search), visualization, theme }), mode);
      return restore();
    },
    /** The address of the current state, with the name of the visualization. */
    link: writer.link,
    /** The camera to start with; undefined for the whole focus. */
    camera: writer.camera,
    /** The camera has moved; undefined when it shows the whole focus. */
    moved(to: Camera | undefined): void {
      writer.setCamera(to);
      writer.writeSoon();
    },
    stop(): void {
      writer.close();
      stopWatching();
      stopListening();
    },
  };
}

/** The state that shows the places of an address. */
function placesIn(
  tree: LoadedTree,
  { focus: place, selected: { row: selected }, compared }: FoundPlaces,
  now: ExplorerState,
) {
  // A leaf cannot be focused; its parent is.
  const near = tree.childCount[place.row] === 0 ? tree.parent[place.row]! : place.row;
  const focus = Math.max(0, keptAround(tree, near));
  const open = [...pathTo(tree, focus), ...(selected > 0 ? pathTo(tree, tree.parent[selected]!) : [])];
  return { focus, selected, compared, expanded: new Set([...now.expanded, ...open]) };
}

/** The state of the address, except for fields that the user has changed while its places were being found. */
function unlessChanged(
  before: ExplorerState,
  now: ExplorerState,
  url: UrlState & Pick<ExplorerState, 'size'>,
): Partial<ExplorerState> {
  const kept = restoredFields.filter((field) => now[field] === before[field]);
  return Object.fromEntries(kept.map((field) => [field, url[field]]));
}

/** The filter to show: that of the address, except for what the user has changed since `before`. */
function filterToShow(before: ExplorerState, now: ExplorerState, url: UrlState): Pick<UrlState, 'filter' | 'isFaint'> {
  const filterOf = ({ filtering, filter }: ExplorerState) => withoutSeen(filtering ?? filter);
  return {
    filter: filterOf(now) === filterOf(before) ? url.filter : filterOf(now),
    isFaint: now.isFaint === before.isFaint ? url.isFaint : now.isFaint,
  };
}

/** The filter and whether the rest is faint are shown before: see `filterToShow`. */
const restoredFields = [...plainFields.filter((name) => name !== 'isFaint'), 'size'] as const;

/** What the explorer's state has of the address. */
const shownFields = urlFields.filter((name) => name !== 'visualization' && name !== 'camera');
const stepFields = shownFields.filter(isStepField);
const lookFields = shownFields.filter((name) => !isStepField(name));

type AddressWriterParts = Pick<Parts, 'tree' | 'store' | 'addressBar' | 'linkId' | 'isDefault'>;

/** How long the camera and the encodings rest before they are written to the address. */
const restMs = 400;

/** Writes the explorer's state to the address bar. */
function createAddressWriter({ linkId, isDefault, tree, store, addressBar }: AddressWriterParts) {
  let camera: Camera | undefined = readUrlState(addressBar.read()).camera;
  let isEnabled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const current = () => stateOf(store, tree, { visualization: readUrlState(addressBar.read()).visualization, camera });

  /** Whether the address means this visualization. */
  function isOurs(): boolean {
    const { visualization } = readUrlState(addressBar.read());
    return visualization === undefined ? isDefault() : visualization === linkId;
  }

  /** Whether the address is this visualization's and says something else than the state. */
  const isOutdated = (): boolean =>
    isOurs() && writeUrlState(current()) !== writeUrlState(readUrlState(addressBar.read()));

  /** Adds an entry to the history if the user has taken a step, see {@link isStep}. */
  function write(): void {
    clearTimeout(timer);
    if (!isEnabled || !isOutdated()) return;
    const now = current();
    addressBar.write(writeUrlState(now), isStep(readUrlState(addressBar.read()), now) ? 'push' : 'replace');
  }

  return {
    isOutdated,
    write,
    writeSoon(): void {
      clearTimeout(timer);
      timer = setTimeout(write, restMs);
    },
    /** Writes the state over the current entry of the history. */
    replace: (): void => addressBar.write(writeUrlState(current()), 'replace'),
    isEnabled: (): boolean => isEnabled,
    /** While disabled, {@link write} does nothing. Starts disabled. */
    enable(enabled: boolean): void {
      isEnabled = enabled;
    },
    camera: (): Camera | undefined => camera,
    setCamera(to: Camera | undefined): void {
      camera = to;
    },
    /** The address of the current state, with the name of the visualization. */
    link: (): string => writeUrlState({ ...current(), visualization: linkId }),
    close: (): void => clearTimeout(timer),
  };
}

function stateOf(store: ExplorerStore, tree: LoadedTree, more: Pick<UrlState, 'visualization' | 'camera'>): UrlState {
  const state = store.getState();
  return {
    ...more,
    ...plainOf(state),
    focus: state.focus === 0 ? undefined : tree.addressOf(state.focus),
    selected: state.selected === none ? undefined : tree.addressOf(state.selected),
    compared: state.compared.map((one) => (typeof one === 'number' ? tree.addressOf(one) : one.address)),
    size: state.size === state.defaultSize ? undefined : state.size,
    filter: withoutSeen(state.filter),
    picked: pickedInLink(state.picked),
  };
}
