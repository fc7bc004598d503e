import { useEffect } from 'react';
import { keywordsOf } from '../format/figure-text.ts';
import { useExplorer, useLook } from './explorer-context.ts';

const product = 'Keyword Clustering';

/** Sets the document title to the focus: "trail shoes – 789 keywords · Keyword Clustering". A draft is named as such. */
export function useLiveTitle(): void {
  const { tree, isDraft } = useExplorer();
  const ready = useLook((state) => state.ready);
  const title = useLook(({ focus }) =>
    tree.size === 0 ? '' : `${isDraft ? 'Draft: ' : ''}${tree.name(focus)} – ${keywordsOf(tree, focus)} · ${product}`,
  );
  useEffect(() => {
    if (ready) document.title = title;
  }, [ready, title]);
}
