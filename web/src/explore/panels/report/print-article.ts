/** Prints an article on pages of its own, in the light theme. */
export type ArticlePrinter = {
  readonly print: () => Promise<void>;
  readonly end: () => void;
};

/**
 * While the browser prints, the style sheet shows only a copy of the article. The print command of the browser prints
 * it as well.
 */
export function createArticlePrinter(article: () => HTMLElement | null): ArticlePrinter {
  let copy: HTMLElement | undefined;
  let isPrinting = false;
  const removeCopy = () => {
    copy?.remove();
    copy = undefined;
  };
  // Some browsers never say that printing has ended, so an earlier copy may still be here.
  const renewCopy = () => {
    removeCopy();
    copy = article()?.cloneNode(true) as HTMLElement | undefined;
    if (!copy) return;
    copy.className = 'printed-article';
    document.body.append(copy);
  };
  const begin = () => {
    if (!isPrinting) renewCopy();
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', removeCopy);
  return {
    async print() {
      renewCopy();
      // A copied picture is decoded again, and is left out until then.
      await Promise.allSettled(Array.from(copy?.querySelectorAll('img') ?? [], (picture) => picture.decode()));
      // The report may have been closed in the meantime.
      if (!copy) return;
      isPrinting = true;
      window.print();
      isPrinting = false;
    },
    end() {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', removeCopy);
      removeCopy();
    },
  };
}
