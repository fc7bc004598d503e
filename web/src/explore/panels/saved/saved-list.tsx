import { say } from '@kc/rules/explorer-messages';
import { ArrowDown, ArrowUp, Check, GripVertical, Pencil, Trash2 } from 'lucide-react';
import { type DOMAttributes, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { Button, iconButtonClass } from '../../../ui/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Field, Form } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { SavedText } from '../../model/source.ts';
import { useExplorer } from '../explorer-context.ts';
import type { Saved } from './saved.ts';

type PresetsProps = {
  readonly saved: Saved;
  /** The canonical text of what is set, empty for nothing. */
  readonly current: string;
  /** A name for it. */
  readonly suggested: string;
  readonly words: {
    /** Shown while nothing is saved and nothing is set. */
    readonly empty: string;
    readonly saveAs: string;
    readonly save: string;
  };
  readonly onApply: (text: string) => void;
};

/** The filters or scores that the user saved, and a field that saves what is set. */
export function SavedPresets({ saved, current, suggested, words, onApply }: PresetsProps) {
  const explorer = useExplorer();
  const { texts, error } = saved;
  const same = texts?.find(({ text }) => text === current);
  return (
    <>
      {error && (
        <p role="alert" className="m-0 text-small text-bad">
          {explorer.explain(error)}
        </p>
      )}
      {texts?.length === 0 && current === '' && <p className="m-0 text-micro text-muted">{words.empty}</p>}
      {texts && texts.length > 0 && (
        <SavedList saved={saved} texts={texts} current={current} onOpen={({ text }) => onApply(text)} />
      )}
      {same && <p className="m-0 text-micro text-muted">{`Saved as “${same.name}”`}</p>}
      {texts && current !== '' && !same && (
        <SavePreset key={current} saved={saved} current={current} suggested={suggested} words={words} />
      )}
    </>
  );
}

function SavePreset({ saved, current, suggested, words }: Omit<PresetsProps, 'onApply'>) {
  const { field, isSaving, submit } = useSaveForm(saved, suggested, () => current);
  return (
    <Form onSubmit={submit} className="flex flex-col gap-2">
      <Field label={words.saveAs} {...field} />
      <Button type="submit" size="dense" className="self-end">
        {isSaving ? 'Saving...' : words.save}
      </Button>
    </Form>
  );
}

/**
 * What a form shows and does that saves something under a name.
 *
 * @param suggested the name until another is typed
 * @param current what to save; undefined if it is too much
 */
export function useSaveForm(saved: Saved, suggested: string, current: () => string | undefined) {
  const explorer = useExplorer();
  const toast = useToast();
  const [typed, setTyped] = useState<string>();
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const value = typed ?? suggested;

  async function save(): Promise<void> {
    const text = current();
    if (text === undefined) return setError(say('explore/view-too-long'));
    setSaving(true);
    try {
      const { name } = await saved.save(value, text);
      setTyped(undefined);
      setError(undefined);
      toast(say('explore/saved', { name }));
    } catch (failure) {
      setError(explorer.explain(failure));
    } finally {
      setSaving(false);
    }
  }

  return {
    isTyped: typed !== undefined,
    isSaving,
    submit: () => void (!isSaving && save()),
    field: {
      dir: 'auto',
      autoComplete: 'off',
      maxLength: saved.maxNameLength,
      value,
      error,
      onChange({ target }: { target: HTMLInputElement }) {
        setTyped(target.value);
        setError(undefined);
      },
    },
  } as const;
}

type ListProps = {
  readonly saved: Saved;
  readonly texts: readonly SavedText[];
  /** The text of what is set; its row is pressed. Absent where nothing is. */
  readonly current?: string;
  readonly onOpen: (text: SavedText) => void;
  /** Called when no row is left to focus. */
  readonly onEmpty?: () => void;
};

/** What is saved. Each can be opened, renamed and deleted, and moved if the user orders them. */
export function SavedList({ saved, texts, current, onOpen, onEmpty }: ListProps) {
  const explorer = useExplorer();
  const toast = useToast();
  const list = useRef<HTMLOListElement>(null);
  const [spoken, setSpoken] = useState('');
  const report = (failure: unknown) => toast(explorer.explain(failure));
  const drag = useRowDrag(list, (id, to) => move(id, to));
  const shown = drag.orderOf(texts);

  function move(id: string, to: number): void {
    const at = Math.min(texts.length - 1, Math.max(0, to));
    saved.move(id, to).catch(report);
    setSpoken(`${texts.find((text) => text.id === id)?.name}: ${at + 1} of ${texts.length}`);
  }

  /** The list is drawn without the deleted text a moment later: only then is its place that of another one. */
  const removed = useRef<{ readonly id: string; readonly at: number }>(undefined);
  useEffect(() => {
    if (!removed.current || texts.some(({ id }) => id === removed.current?.id)) return;
    const openers = [...(list.current?.querySelectorAll<HTMLElement>('[data-open]') ?? [])];
    (openers[removed.current.at] ?? openers.at(-1))?.focus();
    removed.current = undefined;
  }, [texts]);

  async function remove({ id, name }: SavedText, at: number): Promise<void> {
    removed.current = { id, at };
    try {
      const restore = await saved.remove(id);
      toast(say('explore/saved-deleted', { name }), {
        label: 'Undo',
        onAction: () => void restore().then(() => toast(say('explore/saved-restored', { name })), report),
      });
      if (texts.length === 1) onEmpty?.();
    } catch (failure) {
      removed.current = undefined;
      report(failure);
    }
  }

  return (
    <>
      <ol
        ref={list}
        className={classNames(
          'm-0 -mx-2 list-none p-0',
          saved.isOrdered ? 'flex max-h-[min(22rem,40dvh)] flex-col overflow-y-auto' : 'mb-2',
        )}
      >
        {shown.map((text, at) => (
          <Row
            key={text.id}
            text={text}
            maxNameLength={saved.maxNameLength}
            isPressed={current === undefined ? undefined : text.text === current}
            isDragged={drag.dragged === text.id}
            place={
              saved.isOrdered
                ? { at, of: shown.length, moveTo: (to) => move(text.id, to), grip: drag.gripOf(text.id, shown) }
                : undefined
            }
            onOpen={() => onOpen(text)}
            onRename={(name) => saved.rename(text.id, name)}
            onRemove={() => void remove(text, at)}
          />
        ))}
      </ol>
      {saved.isOrdered && (
        <p role="status" className="sr-only">
          {spoken}
        </p>
      )}
    </>
  );
}

type RowProps = {
  readonly text: SavedText;
  readonly maxNameLength: number;
  readonly isPressed: boolean | undefined;
  readonly isDragged: boolean;
  /** Its index, counted from 0, among how many, and how it is moved; absent if the names order them. */
  readonly place:
    | {
        readonly at: number;
        readonly of: number;
        readonly moveTo: (to: number) => void;
        readonly grip: DOMAttributes<HTMLElement>;
      }
    | undefined;
  readonly onOpen: () => void;
  readonly onRename: (name: string) => Promise<unknown>;
  readonly onRemove: () => void;
};

/** One saved text. In edit mode, its name is a field, and buttons move it. */
function Row(props: RowProps) {
  const { text, isPressed, isDragged, place, onOpen, onRemove } = props;
  const { name } = text;
  const [isEdited, setEdited] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);
  const close = () => {
    setEdited(false);
    requestAnimationFrame(() => opener.current?.focus());
  };

  /** F2 renames it, Delete deletes it, and Alt with an arrow key moves it. */
  function press(event: KeyboardEvent): void {
    const { key, altKey } = event;
    if (altKey && key === 'ArrowUp') place?.moveTo(place.at - 1);
    else if (altKey && key === 'ArrowDown') place?.moveTo(place.at + 1);
    else if (key === 'F2') setEdited(true);
    else if (key === 'Delete') onRemove();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <li
      data-row=""
      className={classNames(
        'flex items-center gap-0.5 rounded-control',
        isDragged ? 'bg-brand-soft' : 'hover:bg-sunken',
      )}
    >
      {isEdited ? (
        <RenameForm {...props} onDone={close} />
      ) : (
        <>
          {place && (
            <span
              aria-hidden="true"
              title="Drag to another place"
              className={classNames(iconButtonClass('dense'), 'w-6 cursor-grab touch-none touch:w-7')}
              {...place.grip}
            >
              <GripVertical size={16} />
            </span>
          )}
          <button
            ref={opener}
            type="button"
            data-open=""
            dir="auto"
            aria-pressed={isPressed}
            aria-keyshortcuts={place ? 'Alt+ArrowUp Alt+ArrowDown F2 Delete' : 'F2 Delete'}
            onClick={onOpen}
            onKeyDown={press}
            className={classNames(
              'flex min-h-9 min-w-0 flex-1 items-baseline gap-2 rounded-control py-1.5 text-left focus-visible:-outline-offset-2 touch:min-h-11 touch:items-center',
              place
                ? 'px-1 text-body text-ink'
                : 'px-2 text-small aria-pressed:font-semibold aria-pressed:text-brand-ink',
            )}
          >
            {place && (
              <span className="w-5 shrink-0 text-right text-micro text-muted tabular-nums">{place.at + 1}</span>
            )}
            <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">{name}</span>
          </button>
          <IconButton
            size="dense"
            label={`${place ? 'Rename or move' : 'Rename'}: ${name}`}
            onClick={() => setEdited(true)}
          >
            <Pencil size={16} />
          </IconButton>
          <IconButton size="dense" label={`Delete: ${name}`} onClick={onRemove}>
            <Trash2 size={16} />
          </IconButton>
        </>
      )}
    </li>
  );
}

function RenameForm({ text, maxNameLength, place, onRename, onDone }: RowProps & { readonly onDone: () => void }) {
  const explorer = useExplorer();
  const { id, name } = text;
  const [typed, setTyped] = useState(name);
  const [error, setError] = useState<string>();
  const submit = () => {
    if (typed === name) return onDone();
    onRename(typed).then(onDone, (failure: unknown) => setError(explorer.explain(failure)));
  };
  return (
    <Form onSubmit={submit} className="flex min-w-0 flex-1 flex-wrap items-center gap-0.5 py-0.5 pl-2">
      <input
        aria-label={`New name of ${name}`}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `renamed-${id}` : undefined}
        dir="auto"
        autoComplete="off"
        maxLength={maxNameLength}
        // biome-ignore lint/a11y/noAutofocus: the user asked to type here
        autoFocus
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          onDone();
        }}
        className="h-9 min-w-0 flex-1 rounded-control border border-line-strong bg-surface px-2 text-body text-ink focus-visible:-outline-offset-2 aria-invalid:border-bad touch:h-11 touch:text-touch"
      />
      {place && (
        <>
          <IconButton
            size="dense"
            label={`Move up: ${name}`}
            disabled={place.at === 0}
            onClick={() => place.moveTo(place.at - 1)}
          >
            <ArrowUp size={16} />
          </IconButton>
          <IconButton
            size="dense"
            label={`Move down: ${name}`}
            disabled={place.at === place.of - 1}
            onClick={() => place.moveTo(place.at + 1)}
          >
            <ArrowDown size={16} />
          </IconButton>
        </>
      )}
      <button type="submit" aria-label={`Done: ${name}`} className={iconButtonClass('dense')}>
        <Check size={16} />
      </button>
      {error && (
        <p id={`renamed-${id}`} role="alert" className="m-0 basis-full text-small text-bad">
          {error}
        </p>
      )}
    </Form>
  );
}

type Drag = { readonly id: string; readonly to: number };

/**
 * Reorders the rows of a list by dragging a handle. The list previews the new order meanwhile.
 *
 * @param list the element whose `data-row` children are the rows
 */
function useRowDrag(list: RefObject<HTMLElement | null>, onDrop: (id: string, to: number) => void) {
  const [drag, setDrag] = useState<Drag>();

  /** The index of the row nearest to a vertical window position. */
  function placeAt(clientY: number): number {
    const rows = [...(list.current?.querySelectorAll('[data-row]') ?? [])];
    const below = rows.findIndex((row) => clientY < row.getBoundingClientRect().bottom);
    return below < 0 ? rows.length - 1 : below;
  }

  // Listen on the window: a row that moves in the document loses pointer capture.
  useEffect(() => {
    if (!drag) return;
    const moved = ({ clientY }: PointerEvent) => setDrag({ id: drag.id, to: placeAt(clientY) });
    // Compute the drop position again, because the last render may lag behind the pointer.
    const dropped = ({ clientY }: PointerEvent) => {
      setDrag(undefined);
      onDrop(drag.id, placeAt(clientY));
    };
    const cancel = () => setDrag(undefined);
    const stop = new AbortController();
    const { signal } = stop;
    addEventListener('pointermove', moved, { signal });
    addEventListener('pointerup', dropped, { signal });
    addEventListener('pointercancel', cancel, { signal });
    return () => stop.abort();
  });

  return {
    dragged: drag?.id,
    orderOf<T extends { readonly id: string }>(rows: readonly T[]): readonly T[] {
      const moved = rows.find(({ id }) => id === drag?.id);
      return moved && drag ? rows.filter((row) => row !== moved).toSpliced(drag.to, 0, moved) : rows;
    },
    gripOf: (id: string, rows: readonly { readonly id: string }[]): DOMAttributes<HTMLElement> => ({
      onPointerDown(event) {
        if (event.button !== 0) return;
        event.preventDefault();
        setDrag({ id, to: rows.findIndex((row) => row.id === id) });
      },
    }),
  };
}
