import type { LoadedTree } from '../tree-data/loaded-tree.ts';
import { none } from '../tree-data/no-row.ts';
import type { AddressBar } from './address-bar.ts';
import type { Camera } from './camera.ts';
import type { ExplorerStore } from './explorer-state.ts';
import { pickedInLink } from './picked.ts';
import { withoutSeen } from './seen-filter.ts';
import { isStep, readUrlState, type UrlState, writeUrlState } from './url-state.ts';

export type AddressWriterDeps = {
  /** How addresses name the visualization. Addresses of another one are left alone. */
  readonly linkId: string;
  /** Whether an address without a name also means this visualization. */
  readonly isDefault: () => boolean;
  readonly tree: LoadedTree;
  readonly store: ExplorerStore;
  readonly bar: AddressBar;
};

/** How long the camera and the encodings rest before they are written to the address. */
const restMs = 400;

/** Writes the explorer's state to the address bar. */
export function createAddressWriter({ linkId, isDefault, tree, store, bar }: AddressWriterDeps) {
  let camera: Camera | undefined = readUrlState(bar.read()).camera;
  let isEnabled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const current = () => stateOf(store, tree, { visualization: readUrlState(bar.read()).visualization, camera });

  /** Whether the address means this visualization. */
  function isOurs(): boolean {
    const { visualization } = readUrlState(bar.read());
    return visualization === undefined ? isDefault() : visualization === linkId;
  }

  /** Whether the address is this visualization's and says something else than the state. */
  const isOutdated = (): boolean => isOurs() && writeUrlState(current()) !== writeUrlState(readUrlState(bar.read()));

  /** Adds an entry to the history if the user has taken a step, see {@link isStep}. */
  function write(): void {
    clearTimeout(timer);
    if (!isEnabled || !isOutdated()) return;
    const now = current();
    bar.write(writeUrlState(now), isStep(readUrlState(bar.read()), now) ? 'push' : 'replace');
  }

  return {
    isOutdated,
    write,
    writeSoon(): void {
      clearTimeout(timer);
      timer = setTimeout(write, restMs);
    },
    /** Writes the state over the current entry of the history. */
    replace: (): void => bar.write(writeUrlState(current()), 'replace'),
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
    view: state.view,
    focus: state.focus === 0 ? undefined : tree.addressOf(state.focus),
    selected: state.selected === none ? undefined : tree.addressOf(state.selected),
    compared: state.compared.map((one) => (typeof one === 'number' ? tree.addressOf(one) : one.address)),
    depth: state.depth,
    score: state.score,
    colour: state.colour,
    size: state.size === state.usualSize ? undefined : state.size,
    steps: state.steps,
    x: state.x,
    y: state.y,
    tx: state.tx,
    ty: state.ty,
    xs: state.xs,
    ys: state.ys,
    query: state.query,
    match: state.match,
    filter: withoutSeen(state.filter),
    isFaint: state.isFaint,
    vs: state.vs,
    thresholds: state.thresholds,
    showsGone: state.showsGone,
    changeLevel: state.changeLevel,
    changeKind: state.changeKind,
    changesIn: state.changesIn,
    panel: state.panel,
    level: state.level,
    rowSort: state.rowSort,
    cols: state.cols,
    picked: pickedInLink(state.picked),
    planList: state.planList,
    theme: state.theme,
  };
}
