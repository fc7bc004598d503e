import { type ChosenGrouping, groupingChoices, previewGroups, totalsOf } from '@kc/cluster/lists/grouping-choice';
import { filteredLists, type KeywordFilter } from '@kc/cluster/lists/keyword-filter';
import { type PreviewNews, previewLists } from '@kc/cluster/lists/preview-lists';
import type { ListFile, ReadLists } from '@kc/cluster/lists/read-lists';
import type { Corrections } from '@kc/cluster/read/reading';
import type { PreviewMessage } from './preview-state.ts';

/** Requests of the page to the worker. A new reading ends the one before. */
export type PreviewRequest =
  | {
      readonly kind: 'read';
      readonly run: number;
      readonly files: readonly PreviewFile[];
      readonly market: string | undefined;
    }
  /** Without a grouping, none is shown. */
  | {
      readonly kind: 'choose';
      readonly run: number;
      readonly grouping: ChosenGrouping | undefined;
      readonly filter: KeywordFilter;
    };

type PreviewFile = { readonly file: File; readonly corrections: Corrections };

/** Counts are reported this often. */
const countsEveryMs = 150;

let current = 0;
let lists: ReadLists | undefined;

addEventListener('message', ({ data }: MessageEvent<PreviewRequest>) => {
  if (data.kind === 'read') void read(data);
  else choose(data);
});

const report = (message: PreviewMessage): void => postMessage(message);

async function read({ run, files, market }: Extract<PreviewRequest, { kind: 'read' }>): Promise<void> {
  current = run;
  lists = undefined;
  try {
    const counts = throttled(run);
    const sources = files.map((file) => sourceOf(file, run));
    const found = await previewLists(sources, counts.report, { market });
    if (run !== current) return;
    counts.flush();
    lists = found;
    report({ run, kind: 'end', ...(found && endOf(found)) });
  } catch {
    // A newer reading has ended this one, or the file cannot be read.
    if (run === current) report({ run, kind: 'failed' });
  }
}

function endOf(found: ReadLists) {
  const groups = previewGroups(found, 'columns');
  return { report: found.report, choices: groupingChoices(found.keywords), ...(groups && { groups }) };
}

function choose({ run, grouping, filter }: Extract<PreviewRequest, { kind: 'choose' }>): void {
  if (run !== current || !lists) return;
  const filtered = filteredLists(lists, filter);
  const groups = grouping && filtered.counts.kept > 0 ? previewGroups(filtered.lists, grouping) : undefined;
  const totals = totalsOf(filtered.lists.keywords);
  report({ run, kind: 'chosen', filtered: filtered.counts, totals, ...(groups && { groups }) });
}

/** Passes on all news, but counts only now and then. `flush` reports the last ones. */
function throttled(run: number) {
  let reportedAt = 0;
  let waiting: PreviewNews | undefined;
  const flush = (): void => {
    if (waiting && run === current) report({ run, ...waiting });
    waiting = undefined;
  };
  return {
    flush,
    report(news: PreviewNews): void {
      if (news.kind === 'counts' && performance.now() - reportedAt < countsEveryMs) {
        waiting = news;
        return;
      }
      if (news.kind === 'counts') waiting = undefined;
      flush();
      reportedAt = performance.now();
      if (run === current) report({ run, ...news });
    },
  };
}

/** @throws Error once another reading has started */
function sourceOf({ file, corrections }: PreviewFile, run: number): ListFile {
  const read = async (offset: number, length: number): Promise<Uint8Array> => {
    const bytes = await file.slice(offset, offset + length).arrayBuffer();
    if (run !== current) throw new Error('Another reading has started');
    return new Uint8Array(bytes);
  };
  return { name: file.name, source: { size: file.size, read }, corrections };
}
