import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

const product = 'Keyword Clustering';

/** The document's title for a page. */
export const pageTitle = (page: string): string => (page ? `${page} · ${product}` : product);

/** After a change of page: sets the document's title, moves the focus to the page's heading, announces the page. */
export function PageChanges() {
  const router = useRouter();
  const [announced, setAnnounced] = useState('');

  useEffect(() => {
    return router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
      const page = router.state.matches.findLast((match) => match.staticData.title)?.staticData.title ?? '';
      if (!pathChanged && fromLocation) return;
      document.title = pageTitle(page);
      if (!fromLocation) return;
      setAnnounced(page);
      focusHeading();
    });
  }, [router]);

  return (
    <p className="sr-only" aria-live="polite">
      {announced}
    </p>
  );
}

/** A screen that placed the focus itself (in its first field, say) keeps it. */
function focusHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1');
  const placed = document.activeElement?.closest('main');
  if (!heading || placed) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
