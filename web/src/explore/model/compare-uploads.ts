import type { AddressBar } from './address-bar.ts';
import type { ExplorerStore } from './explorer-state.ts';
import { panelWithoutChanges, readUrlState, writeUrlState } from './url-state.ts';

type CompareDeps = {
  readonly store: ExplorerStore;
  readonly bar: AddressBar;
  readonly linkId: string;
  /** Whether these data can be compared with an earlier upload. */
  readonly isPossible: boolean;
  /** The address of the current state, with the name of the visualization. */
  readonly link: () => string;
};

/** Starts and ends the comparison with another upload. */
export function createUploadComparison({ store, bar, linkId, isPossible, link }: CompareDeps) {
  return {
    /** Whether these data can be compared with an earlier upload. */
    canCompareUploads: isPossible,

    /** Opens the list of uploads to compare with. */
    chooseUpload(): void {
      if (isPossible) store.setState({ choosingUpload: true });
    },

    /** Compares with an upload, and shows what changed. */
    compareWith(vs: string): void {
      if (!isPossible || vs === linkId) return;
      store.setState({ vs, panel: 'changes', detailOpen: true, choosingUpload: false });
    },

    stopComparingUploads(): void {
      store.setState(({ panel }) => ({ vs: undefined, panel: panelWithoutChanges(panel), thresholds: '' }));
    },

    /** Shows the other upload, compared with this one. Node IDs are the same in both, so focus and filter go along. */
    swapUploads(): void {
      const { vs } = store.getState();
      if (vs === undefined) return;
      bar.write(writeUrlState({ ...readUrlState(link()), visualization: vs, vs: linkId }), 'push');
    },
  };
}
