import type { ChosenGrouping } from '@kc/cluster/lists/grouping-choice';
import type { KeywordFilter } from '@kc/cluster/lists/keyword-filter';
import type { Corrections } from '@kc/cluster/read/reading';
import { useEffect, useReducer, useRef } from 'react';
import { createWorker } from '../../trusted-worker.ts';
import { noPreview, type Preview, type PreviewMessage, restarted, withMessage } from './preview-state.ts';
import type { PreviewRequest } from './reading.worker.ts';
import workerUrl from './reading.worker.ts?worker&url';

/** A file that a person chose, and what they corrected in its reading. The key stays the same. */
export type ChosenList = { readonly key: number; readonly file: File; readonly corrections: Corrections };

type Change =
  | { readonly restart: { readonly run: number; readonly keys: readonly number[] } }
  | { readonly message: PreviewMessage };

const change = (preview: Preview, next: Change): Preview =>
  'message' in next ? withMessage(preview, next.message) : restarted(preview, next.restart.run, next.restart.keys);

/**
 * Reads lists in a worker, again whenever one of them, its corrections or the market changes.
 *
 * @param market only its rows are used; all rows if undefined
 */
export function usePreview(
  lists: readonly ChosenList[],
  grouping: ChosenGrouping | undefined,
  market: string | undefined,
  filter: KeywordFilter,
): Preview {
  const [preview, dispatch] = useReducer(change, noPreview);
  const worker = useRef<Worker>(undefined);
  const lastRun = useRef(0);
  useEffect(() => () => worker.current?.terminate(), []);
  useEffect(() => {
    const run = ++lastRun.current;
    dispatch({ restart: { run, keys: lists.map(({ key }) => key) } });
    worker.current ??= startWorker(
      (message) => dispatch({ message }),
      () => {
        worker.current = undefined;
        dispatch({ message: { run: lastRun.current, kind: 'failed' } });
      },
    );
    const files = lists.map(({ file, corrections }) => ({ file, corrections }));
    worker.current.postMessage({ kind: 'read', run, files, market } satisfies PreviewRequest);
  }, [lists, market]);
  const { run, isEnded } = preview;
  useEffect(() => {
    if (!isEnded) return;
    worker.current?.postMessage({ kind: 'choose', run, grouping, filter } satisfies PreviewRequest);
  }, [grouping, filter, run, isEnded]);
  return preview;
}

/** @param onCrash the worker ran out of memory, or its script could not be loaded */
function startWorker(onMessage: (message: PreviewMessage) => void, onCrash: () => void): Worker {
  const worker = createWorker(workerUrl, 'read-lists');
  worker.addEventListener('message', ({ data }: MessageEvent<PreviewMessage>) => onMessage(data));
  worker.addEventListener('error', () => {
    worker.terminate();
    onCrash();
  });
  return worker;
}
