import { say } from '@kc/rules/messages';
import { Presentation } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { useStore } from 'zustand';
import { Button } from '../../../ui/button.tsx';
import { ButtonPanel } from '../../../ui/popover.tsx';
import { useExplorer } from '../explorer-context.ts';
import { SaveForm } from './save-form.tsx';
import { SavedList } from './saved-list.tsx';
import { savedViewsOf } from './saved-views.ts';

/** Saves the current view and lists the saved ones. */
export function SavedPanel({ onClose }: { readonly onClose: () => void }) {
  const explorer = useExplorer();
  const saved = savedViewsOf(explorer);
  const { views, failure } = useStore(saved.store);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    saved.load().catch(() => {
      // The store has the failure, which is shown below.
    });
  }, [saved]);
  const present = () => {
    onClose();
    explorer.store.setState({ presenting: true });
  };
  return (
    <div className="flex flex-col gap-4">
      <SaveForm saved={saved} field={field} />
      <section aria-labelledby="saved-views-title" className="flex flex-col gap-1.5 border-t border-line pt-3">
        <div className="flex min-h-8 items-center justify-between gap-3">
          <h2 id="saved-views-title" className="m-0 text-small font-semibold text-muted">
            Saved views
          </h2>
          {views && views.length > 0 && (
            <Button
              size="dense"
              icon={<Presentation size={16} strokeWidth={1.75} aria-hidden="true" />}
              onClick={present}
            >
              Present
            </Button>
          )}
        </div>
        {failure !== undefined && (
          <p role="alert" className="m-0 text-small text-bad">
            {explorer.explain(failure)}
          </p>
        )}
        {views?.length === 0 && <p className="m-0 text-small text-muted">{say('explore/views-none')}</p>}
        {views && views.length > 0 && (
          <SavedList saved={saved} views={views} onOpened={onClose} onEmpty={() => field.current?.focus()} />
        )}
      </section>
    </div>
  );
}

type Props = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly isSmall: boolean;
  readonly onClose: () => void;
};

/** The saved views panel: beside its button, or as a sheet on a small screen. */
export function SavedOverlay(props: Props) {
  return (
    <ButtonPanel {...props} label="Saved views" align="end" className="w-[min(27rem,calc(100vw-1rem))]">
      <SavedPanel onClose={props.onClose} />
    </ButtonPanel>
  );
}
