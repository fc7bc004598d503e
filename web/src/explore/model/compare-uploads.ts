import type { ExplorerState } from './explorer-state.ts';
import type { Parts } from './parts.ts';
import {
  defaultUrlState,
  panelWithoutChanges,
  readUrlState,
  type UrlState,
  withoutUpload,
  writeUrlState,
} from './url-state.ts';

/**
 * Starts and ends the comparison with another upload.
 *
 * @param isPossible whether these data can be compared with an earlier upload
 * @param link the address of the current state, with the name of the visualization
 */
export function createUploadComparison(
  { store, addressBar, linkId }: Pick<Parts, 'store' | 'addressBar' | 'linkId'>,
  isPossible: boolean,
  link: () => string,
) {
  /** The colours before the comparison. After a reload, the default ones return. */
  let previousLook: Pick<ExplorerState, 'colour' | 'steps'> | undefined;

  /** Opens the other upload, compared with this one. */
  const openOther = (vs: string, overrides: Partial<UrlState> = {}): void =>
    addressBar.write(writeUrlState({ ...readUrlState(link()), ...overrides, visualization: vs, vs: linkId }), 'push');

  return {
    /** Whether these data can be compared with an earlier upload. */
    canCompareUploads: isPossible,

    /** Opens the list of uploads to compare with. */
    chooseUpload(): void {
      if (isPossible) store.setState({ uploadsOpen: true });
    },

    /**
     * Shows what changed from the older of two uploads to the newer one: where the other one is newer, that is opened.
     *
     * @param isNewer whether the other upload is newer than this one
     */
    compareWith(vs: string, isNewer = false): void {
      if (!isPossible || vs === linkId) return;
      const { vs: other, colour, steps } = store.getState();
      const isStart = other === undefined;
      const changes: Partial<Pick<ExplorerState, 'panel' | 'changesIn' | 'colour' | 'steps'>> = {
        panel: 'changes',
        changesIn: undefined,
        ...(isStart && { colour: 'change', steps: undefined }),
      };
      store.setState({ uploadsOpen: false });
      if (isNewer) openOther(vs, changes);
      else {
        if (isStart) previousLook = { colour, steps };
        store.setState({ ...changes, vs, detailOpen: true });
      }
    },

    stopComparingUploads(): void {
      const { colour: defaultColour } = defaultUrlState;
      store.setState(({ panel, colour }) => ({
        ...withoutUpload,
        panel: panelWithoutChanges(panel),
        ...(colour === 'change' && { colour: defaultColour, steps: undefined, ...previousLook }),
      }));
      previousLook = undefined;
    },

    /** Shows the other upload, compared with this one. Node IDs are the same in both, so focus and filter go along. */
    swapUploads(): void {
      const { vs } = store.getState();
      if (vs === undefined) return;
      openOther(vs);
    },
  };
}
