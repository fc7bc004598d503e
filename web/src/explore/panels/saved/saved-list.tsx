import { say } from '@kc/rules/messages';
import type { SavedView } from '@kc/rules/view-api';
import { type DOMAttributes, type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { useToast } from '../../../ui/toast.tsx';
import { useExplorer } from '../explorer-context.ts';
import { SavedRow } from './saved-row.tsx';
import type { SavedViews } from './saved-views.ts';

type Props = {
  readonly saved: SavedViews;
  readonly views: readonly SavedView[];
  readonly onOpened: () => void;
  /** Called when no row is left to focus. */
  readonly onEmpty: () => void;
};

/** The saved views in order. Each can be opened, renamed, moved and deleted. */
export function SavedList({ saved, views, onOpened, onEmpty }: Props) {
  const explorer = useExplorer();
  const toast = useToast();
  const list = useRef<HTMLOListElement>(null);
  const [spoken, setSpoken] = useState('');
  const tell = (failure: unknown) => toast(explorer.explain(failure));
  const drag = useRowDrag(list, (id, to) => move(id, to));
  const shown = drag.orderOf(views);

  function move(id: string, to: number): void {
    const at = Math.min(views.length - 1, Math.max(0, to));
    saved.move(id, to).catch(tell);
    setSpoken(`${views.find((view) => view.id === id)?.name}: ${at + 1} of ${views.length}`);
  }

  function open(view: SavedView): void {
    onOpened();
    void saved.open(view);
  }

  async function remove(view: SavedView, at: number): Promise<void> {
    try {
      const restore = await saved.remove(view.id);
      toast(say('explore/view-deleted', { name: view.name }), {
        label: 'Undo',
        onAction: () => void restore().then(({ name }) => toast(say('explore/view-restored', { name })), tell),
      });
      focusRow(Math.min(at, views.length - 2));
    } catch (failure) {
      tell(failure);
    }
  }

  /** The index clamped to the rows after the next render; none is left below 0. */
  function focusRow(at: number): void {
    if (at < 0) onEmpty();
    else requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-open]')[at]?.focus());
  }

  /** Keys on a row: F2 renames it, Delete deletes it, and Alt with an arrow key moves it. */
  function press(event: KeyboardEvent, view: SavedView, at: number, onRename: () => void): void {
    const { key, altKey } = event;
    if (altKey && key === 'ArrowUp') move(view.id, at - 1);
    else if (altKey && key === 'ArrowDown') move(view.id, at + 1);
    else if (key === 'F2') onRename();
    else if (key === 'Delete') void remove(view, at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <>
      <ol ref={list} className="m-0 -mx-2 flex max-h-[min(22rem,40dvh)] list-none flex-col overflow-y-auto p-0">
        {shown.map((view, at) => (
          <SavedRow
            key={view.id}
            view={view}
            at={at}
            of={shown.length}
            isDragged={drag.dragged === view.id}
            onOpen={() => open(view)}
            onRename={(name) => saved.rename(view.id, name)}
            onMove={(by) => move(view.id, at + by)}
            onRemove={() => void remove(view, at)}
            onKey={(event, onRename) => press(event, view, at, onRename)}
            grip={drag.gripOf(view.id, shown)}
          />
        ))}
      </ol>
      <p role="status" className="sr-only">
        {spoken}
      </p>
    </>
  );
}

type Drag = { readonly id: string; readonly to: number };

/**
 * Reorders the rows of a list by dragging a handle. The list previews the new order meanwhile.
 *
 * @param list the element whose `data-row` children are the rows
 */
export function useRowDrag(list: RefObject<HTMLElement | null>, onDrop: (id: string, to: number) => void) {
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
    const givenUp = () => setDrag(undefined);
    addEventListener('pointermove', moved);
    addEventListener('pointerup', dropped);
    addEventListener('pointercancel', givenUp);
    return () => {
      removeEventListener('pointermove', moved);
      removeEventListener('pointerup', dropped);
      removeEventListener('pointercancel', givenUp);
    };
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
