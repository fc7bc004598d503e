import { type PointerEvent, useRef } from 'react';

/** How far to the right a finger has to go for it to count, in CSS pixels. */
const enoughPx = 96;
/** From here on a finger that goes sideways moves the card and no longer the page. */
const slackPx = 12;

/** How far a card is moved by a finger that went so far: to the right only, and not while it scrolls the page. */
export function pulled(dx: number, dy: number): number {
  return dx <= slackPx || Math.abs(dy) > dx ? 0 : Math.min(dx - slackPx, 1.5 * enoughPx);
}

/** Whether a card that was pulled so far is let go for good. */
export const isEnough = (px: number): boolean => px >= enoughPx;

/**
 * A card that a finger swipes to the right. It moves with the finger and comes back.
 *
 * @param onSwipe `undefined` for a card that cannot be swiped
 * @returns the properties to spread on the card, which must not scroll sideways itself (`touch-pan-y`)
 */
export function useSwipe(onSwipe: (() => void) | undefined) {
  const from = useRef<{ x: number; y: number } | undefined>(undefined);
  if (!onSwipe) return {};
  const place = (event: PointerEvent<HTMLElement>): number =>
    from.current ? pulled(event.clientX - from.current.x, event.clientY - from.current.y) : 0;
  const back = (card: HTMLElement) => {
    from.current = undefined;
    card.style.transform = '';
  };
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.pointerType === 'touch') from.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (from.current) event.currentTarget.style.transform = `translateX(${place(event)}px)`;
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const enough = isEnough(place(event));
      back(event.currentTarget);
      if (enough) onSwipe();
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => back(event.currentTarget),
  };
}
