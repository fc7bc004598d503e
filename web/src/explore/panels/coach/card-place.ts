export type Rect = { readonly left: number; readonly top: number; readonly width: number; readonly height: number };
export type CardPlace = {
  readonly left: number;
  readonly top: number;
  /** The position of the tip from the card's left edge; undefined if the card is inside its target. */
  readonly tip: { readonly left: number; readonly at: 'top' | 'bottom' } | undefined;
};

const gap = 10;
const edge = 8;
/** The height from which a target contains the card, at its bottom. */
const insideFrom = 240;

/** Places a card for a target on the screen: below it, otherwise above it, always inside the window. */
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
