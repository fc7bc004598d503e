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
  const begin = () => {
    const shown = article();
    if (!shown || copy) return;
    copy = shown.cloneNode(true) as HTMLElement;
    copy.className = 'printed-article';
    document.body.append(copy);
  };
  const end = () => {
    copy?.remove();
    copy = undefined;
  };
  addEventListener('beforeprint', begin);
  addEventListener('afterprint', end);
  return {
    async print() {
      begin();
      // A copied picture is decoded again, and is left out until then.
      await Promise.all(Array.from(copy?.querySelectorAll('img') ?? [], (picture) => picture.decode()));
      window.print();
    },
    end() {
      removeEventListener('beforeprint', begin);
      removeEventListener('afterprint', end);
      end();
    },
  };
}
