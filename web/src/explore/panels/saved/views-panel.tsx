import { figureName } from '@kc/pack/filter-words/figure-name';
import { say } from '@kc/rules/explorer-messages';
import { limits } from '@kc/rules/limits';
import { Presentation, Star } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Form } from '../../../ui/field.tsx';
import { ButtonPanel } from '../../../ui/popover.tsx';
import { choiceName } from '../../model/choices.ts';
import { defaultAxes } from '../../model/encodings.ts';
import type { SavedText } from '../../model/source.ts';
import { readUrlState, type UrlState, writeUrlState } from '../../model/url-state.ts';
import { useExplorer, useLook } from '../explorer-context.ts';
import { viewNames } from '../view-names.ts';
import { currentView, type Saved, useSaved } from './saved.ts';
import { SavedList, useSaveForm } from './saved-list.tsx';

type PanelProps = {
  readonly button: RefObject<HTMLButtonElement | null>;
  readonly onClose: () => void;
};

/** Saves the current view and lists the saved ones: beside its button, or as a sheet on a small screen. */
export function SavedViewsPanel({ onClose, ...place }: PanelProps) {
  const explorer = useExplorer();
  const saved = useSaved('views');
  const { texts: views, error } = saved;
  const field = useRef<HTMLInputElement>(null);
  const open = (view: SavedText) => {
    onClose();
    void explorer.address.open(view.text, 'push');
  };
  const present = () => {
    onClose();
    explorer.store.setState({ isPresenting: true });
  };
  return (
    <ButtonPanel
      {...place}
      onClose={onClose}
      label="Saved views"
      align="end"
      className="w-[min(27rem,calc(100vw-1rem))]"
    >
      <div className="flex flex-col gap-4">
        <SaveForm saved={saved} field={field} />
        <section aria-labelledby="saved-views-title" className="flex flex-col gap-1.5 border-t border-line pt-3">
          <div className="flex min-h-8 items-center justify-between gap-3">
            <h2 id="saved-views-title" className="m-0 text-small font-semibold text-muted">
              Saved views
            </h2>
            {views && views.length > 0 && (
              <Button size="dense" icon={<Presentation size={16} />} onClick={present}>
                Present
              </Button>
            )}
          </div>
          {error && (
            <p role="alert" className="m-0 text-small text-bad">
              {explorer.explain(error)}
            </p>
          )}
          {views?.length === 0 && <p className="m-0 text-small text-muted">{say('explore/views-none')}</p>}
          {views && views.length > 0 && (
            <SavedList saved={saved} texts={views} onOpen={open} onEmpty={() => field.current?.focus()} />
          )}
        </section>
      </div>
    </ButtonPanel>
  );
}

/** Saves the current view under a name, which it suggests. */
function SaveForm({ saved, field }: { readonly saved: Saved; readonly field: RefObject<HTMLInputElement | null> }) {
  const explorer = useExplorer();
  const looked = useLook((state) => state);
  const size = looked.size === looked.defaultSize ? undefined : looked.size;
  const current = currentView(explorer);
  const views = saved.texts ?? [];
  const usedNames = views.map(({ name }) => name);
  const suggested = proposedName(explorer.tree.name(looked.focus), { ...looked, size }, usedNames);
  const form = useSaveForm(saved, suggested, () => current);
  const same = views.find(({ text }) => text === current);

  const isKnown = saved.texts !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the suggestion depends on the loaded names
  useEffect(() => {
    const hasFocus = document.activeElement === field.current || document.activeElement === document.body;
    if (!form.isTyped && (!isKnown || hasFocus)) field.current?.select();
  }, [field, isKnown]);

  return (
    <Form onSubmit={form.submit} className="flex flex-col gap-2">
      <Field ref={field} label="Save this view as" hint={same && `Saved already as “${same.name}”`} {...form.field} />
      <Button variant="primary" type="submit" className="self-end">
        {form.isSaving ? 'Saving...' : 'Save view'}
      </Button>
    </Form>
  );
}

type Looked = Pick<UrlState, 'view' | 'colour' | 'size' | 'x' | 'y' | 'query' | 'filter'>;

/**
 * Suggests a name for a view: "Trail shoes – Sunburst, colour by difficulty, filtered". Defaults are omitted, and a
 * number is appended to a name that is taken.
 *
 * @param looked its size is undefined if it is the default of the data
 * @param place the name of the focus, truncated so that the whole fits the maximum length
 */
export function proposedName(place: string, looked: Looked, usedNames: readonly string[]): string {
  const description = descriptionOf(looked).join(', ');
  for (let number = 1; ; number++) {
    const end = ` – ${description}${number > 1 ? ` (${number})` : ''}`;
    const room = limits.maxViewNameLength - end.length;
    const name = `${place.length > room ? `${place.slice(0, Math.max(0, room - 1)).trimEnd()}…` : place}${end}`;
    if (!usedNames.includes(name)) return name.slice(0, limits.maxViewNameLength);
  }
}

function descriptionOf({ view, colour, size, x, y, query, filter }: Looked): string[] {
  const isDrawn = view !== 'table';
  const isPlotted = view === 'opportunity' && (x !== defaultAxes.x || y !== defaultAxes.y);
  return [
    viewNames[view],
    ...(isPlotted ? [`${small(figureName(x))} against ${small(figureName(y))}`] : []),
    ...(isDrawn && colour !== 'pillar' ? [`colour by ${small(choiceName(colour))}`] : []),
    ...(isDrawn && size !== undefined ? [`size by ${small(choiceName(size))}`] : []),
    ...(query === '' ? [] : [`“${query.slice(0, 40)}”`]),
    ...(filter === '' ? [] : ['filtered']),
  ];
}

/** Lower case for use within a sentence. Acronyms keep their capitals. */
const small = (name: string): string => (/^\p{Lu}\p{Ll}/u.test(name) ? name[0]!.toLowerCase() + name.slice(1) : name);

/** The saved views of this visualization as links. @param onChosen called when one is opened */
export function SavedViewLinks({ onChosen }: { readonly onChosen: () => void }) {
  const explorer = useExplorer();
  const { texts: views, error } = useSaved('views');
  const hrefOf = ({ text }: SavedText) =>
    `${location.pathname}${writeUrlState({ ...readUrlState(text), visualization: explorer.linkId })}`;
  return (
    <section aria-labelledby="saved-links-title" className="border-t border-line px-2 pt-2">
      <h2 id="saved-links-title" className="m-0 px-1 pb-1 text-micro font-semibold text-muted">
        Saved views of what is open
      </h2>
      {error && <p className="m-0 px-1 text-small text-bad">{explorer.explain(error)}</p>}
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
                void explorer.address.open(view.text, 'push');
              }}
              className="flex min-h-9 items-center gap-2.5 rounded-control px-1 py-1 text-small font-normal text-ink no-underline hover:bg-sunken focus-visible:-outline-offset-2 touch:min-h-11"
            >
              <Star size={14} className="shrink-0 text-muted" />
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
