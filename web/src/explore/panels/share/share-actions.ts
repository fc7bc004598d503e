import { downloadName } from '@kc/rules/download-name';
import { say } from '@kc/rules/messages';
import { currentTheme } from '../../../ui/environment.ts';
import { useToast } from '../../../ui/toast.tsx';
import type { Stage } from '../../charts/canvas/stage.ts';
import { exact } from '../../format/figure-text.ts';
import type { Explorer } from '../../model/explorer.ts';
import type { ListQuery } from '../../model/list-query.ts';
import { useExplorer } from '../explorer-context.ts';
import { copyKeywords, copyList } from './copy-branch.ts';
import { PictureTooLarge, pngOf, printedPictureOf, type Shown, svgOf } from './shown-picture.ts';

/** The export actions of the explorer. Each reports its success or the reason for its failure. */
export function useShareActions() {
  const explorer = useExplorer();
  const toast = useToast();
  const { tree, store, source } = explorer;

  /** @param work returns the message, if success is not obvious */
  function attempt(work: () => Promise<unknown>): void {
    work().then(
      (done) => typeof done === 'string' && toast(done),
      (failure: unknown) => toast(whyNot(explorer, failure)),
    );
  }
  const shown = (stage: Stage | undefined): Shown => ({ explorer, stage, theme: currentTheme() });
  const filter = () => store.getState().filter;
  /** The file name for what is on the screen. */
  const nameOf = (what: string, extension: string) => {
    const { focus } = store.getState();
    return downloadName({
      fileName: explorer.fileName,
      branch: focus === 0 ? undefined : tree.name(focus),
      what,
      isFiltered: filter() !== '',
      now: Date.now(),
      extension,
    });
  };

  return {
    copyImage: (stage: Stage | undefined) =>
      attempt(async () => {
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(shown(stage), 2) })]);
        return say('explore/image-copied');
      }),
    png: (stage: Stage | undefined, scale: number) =>
      attempt(async () => {
        const blob = await pngOf(shown(stage), scale);
        save(blob, nameOf(`${store.getState().view}${scale === 1 ? '' : ` @${scale}x`}`, 'png'));
      }),
    svg: (stage: Stage | undefined) =>
      attempt(async () => {
        save(new Blob([svgOf(shown(stage))], { type: 'image/svg+xml' }), nameOf(store.getState().view, 'svg'));
      }),
    print: (stage: Stage | undefined) =>
      attempt(async () => {
        const blob = await printedPictureOf(explorer, stage);
        await printPoster(blob, tree.name(store.getState().focus));
      }),
    /**
     * Pack rows in the order they are exported in.
     *
     * @param columns the columns of a workbook; a CSV file has all
     */
    table: (nodes: readonly number[], what: 'shown' | 'compared' | 'selected', columns?: readonly string[]) =>
      attempt(async () => {
        save(await source.table(nodes, filter(), columns), nameOf(what, columns ? 'xlsx' : 'csv'));
      }),
    /** The whole flat list of the table, as it is ranked and filtered. */
    list: (query: ListQuery, columns?: readonly string[]) => follow(source.listUrl(query, columns)),
    /** Downloads a branch, streamed by the server. */
    branch: (form: 'csv' | 'json', row: number, kind?: 'keywords' | 'clusters') =>
      follow(source.exportUrl(form, tree.node[row]!, filter(), kind)),
    copyList: (row: number) => attempt(() => copyList(explorer, tree.node[row]!)),
    copyKeywords: (row: number) => attempt(() => copyKeywords(explorer, tree.node[row]!, tree.keywords[row]!)),
  };
}

function whyNot(explorer: Explorer, failure: unknown): string {
  if (failure instanceof PictureTooLarge) {
    return say('explore/picture-too-large', { width: exact(failure.width), height: exact(failure.height) });
  }
  // Without https there is no clipboard at all, which is a type error.
  const isRefused = failure instanceof DOMException ? failure.name === 'NotAllowedError' : !isSecureContext;
  if (isRefused) return say('explore/copy-refused');
  return explorer.explain(failure);
}

function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  follow(url, name);
  // The download has started by then; the bytes are kept until it ends.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

function follow(url: string, name = ''): void {
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
}

/** Removes the image that was printed last. Not every browser says when it has printed. */
let removePoster: () => void = () => undefined;

/**
 * Prints an image on a page of its own. While the browser prints, the style sheet shows only that image.
 *
 * @param label the alternative text
 */
async function printPoster(picture: Blob, label: string): Promise<void> {
  removePoster();
  const image = new Image();
  image.src = URL.createObjectURL(picture);
  image.alt = label;
  image.className = 'printed-poster';
  const remove = () => {
    removeEventListener('afterprint', remove);
    image.remove();
    URL.revokeObjectURL(image.src);
  };
  removePoster = remove;
  try {
    await image.decode();
    document.body.append(image);
    addEventListener('afterprint', remove);
    window.print();
  } catch (failure) {
    remove();
    throw failure;
  }
}
