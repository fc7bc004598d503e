/** Something that can be done by its name. */
export type Command = {
  readonly id: string;
  readonly title: string;
  /** What it stands under in a list. */
  readonly group: string;
  /** More about it, beside its title. */
  readonly detail?: string | undefined;
  readonly run: () => void;
};

/** What a part of the page offers; asked for anew each time, so that it is what is possible now. */
export type Offer = {
  readonly commands: readonly Command[];
  /** More of them that a text leads to, such as the places of a map. */
  readonly find?: (text: string, signal: AbortSignal) => Promise<readonly Command[]>;
};

const offers = new Set<() => Promise<Offer>>();

/** Offers commands for as long as a part of the page is there. @returns takes them back */
export function offerCommands(offer: () => Promise<Offer>): () => void {
  offers.add(offer);
  return () => offers.delete(offer);
}

/** What all parts of the page offer now. */
export const offeredCommands = (): Promise<Offer[]> => Promise.all([...offers].map((offer) => offer()));
