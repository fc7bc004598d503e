import { type DOMAttributes, type RefObject, useEffect, useState } from 'react';

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
