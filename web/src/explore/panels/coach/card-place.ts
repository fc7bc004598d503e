export type Rect = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
export type CardPlace = {
  readonly left: number;
  readonly top: number;
  /** Where the tip of the card is, from its left; undefined when it lies within what it speaks of. */
  readonly tip: { readonly left: number; readonly at: 'top' | 'bottom' } | undefined;
};

const gap = 10;
const edge = 8;
/** Bigger things have the card inside, at their foot. */
const insideFrom = 240;

/** Where a card stands that speaks of a thing on the screen: under it, else over it, always within the window. */
export function placeCard(of: Rect, card: { width: number; height: number }, window: typeof card): CardPlace {
  const within = (at: number, length: number, all: number) => Math.max(edge, Math.min(at, all - length - edge));
  const middle = of.left + of.width / 2;
  const left = within(middle - card.width / 2, card.width, window.width);
  const bottom = of.top + of.height;
  if (of.height >= insideFrom) {
    return {
      left,
      top: within(Math.min(bottom, window.height) - card.height - 2 * gap, card.height, window.height),
      tip: undefined,
    };
  }
  const tipLeft = Math.max(16, Math.min(middle - left, card.width - 16));
  const isUnder = bottom + gap + card.height + edge <= window.height;
  const top = within(isUnder ? bottom + gap : of.top - gap - card.height, card.height, window.height);
  return { left, top, tip: { left: tipLeft, at: isUnder ? 'top' : 'bottom' } };
}
