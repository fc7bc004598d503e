import { say } from '@kc/rules/messages';
import type { SavedView } from '@kc/rules/view-api';
import { Star } from 'lucide-react';
import { useEffect } from 'react';
import { useStore } from 'zustand';
import { readUrlState, writeUrlState } from '../../model/url-state.ts';
import { useExplorer } from '../explorer-context.ts';
import { savedViewsOf } from './saved-views.ts';

/** The saved views of this visualization as links. @param onChosen called when one is opened */
export function SavedLinks({ onChosen }: { readonly onChosen: () => void }) {
  const explorer = useExplorer();
  const saved = savedViewsOf(explorer);
  const { views, failure } = useStore(saved.store);
  useEffect(() => {
    saved.load().catch(() => {
      // The failure is shown below.
    });
  }, [saved]);
  const hrefOf = ({ state }: SavedView) =>
    `${location.pathname}${writeUrlState({ ...readUrlState(state), visualization: explorer.linkId })}`;
  return (
    <section aria-labelledby="saved-links-title" className="border-t border-line px-2 pt-2">
      <h2 id="saved-links-title" className="m-0 px-1 pb-1 text-micro font-semibold text-muted">
        Saved views of what is open
      </h2>
      {failure !== undefined && <p className="m-0 px-1 text-small text-bad">{explorer.explain(failure)}</p>}
      {views?.length === 0 && <p className="m-0 px-1 pb-1 text-small text-muted">{say('explore/views-none')}</p>}
      <ul className="m-0 flex max-h-56 list-none flex-col overflow-y-auto p-0">
        {views?.map((view) => (
          <li key={view.id}>
            <a
              href={hrefOf(view)}
              onClick={(event) => {
                if (event.ctrlKey || event.metaKey || event.shiftKey) return;
                event.preventDefault();
                onChosen();
                void saved.open(view);
              }}
              className="flex min-h-9 items-center gap-2.5 rounded-control px-1 py-1 text-small font-normal text-ink no-underline hover:bg-sunken focus-visible:-outline-offset-2 touch:min-h-11"
            >
              <Star size={14} strokeWidth={1.75} aria-hidden="true" className="shrink-0 text-muted" />
              <span dir="auto" className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
                {view.name}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
