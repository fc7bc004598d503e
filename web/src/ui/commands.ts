/** A command of the palette. */
export type Command = {
  readonly id: string;
  readonly title: string;
  /** The heading it is listed under. */
  readonly group: string;
  /** Details shown beside the title. */
  readonly detail?: string | undefined;
  readonly run: () => void;
};

/** The commands of one part of the page; requested on each opening, so that they are up to date. */
export type Offer = {
  readonly commands: readonly Command[];
  /** Further commands found by a text, such as the nodes of a tree. */
  readonly find?: (text: string, signal: AbortSignal) => Promise<readonly Command[]>;
};

const offers = new Set<() => Promise<Offer>>();

/**
 * Registers a provider of commands.
 *
 * @returns a function that unregisters it
 */
export function offerCommands(offer: () => Promise<Offer>): () => void {
  offers.add(offer);
  return () => offers.delete(offer);
}

/** The current commands of all parts of the page. */
export const offeredCommands = (): Promise<Offer[]> => Promise.all([...offers].map((offer) => offer()));

/**
 * The commands in which every word of the text matches the beginning of a word, sorted by group so that each group has
 * one heading. All commands for the empty text.
 */
export function matchCommands(commands: readonly Command[], text: string): Command[] {
  const query = wordsOf(text);
  const matching = commands.filter(({ title, group }) => {
    const words = wordsOf(`${title} ${group}`);
    return query.every((part) => words.some((word) => word.startsWith(part)));
  });
  const groups = [...new Set(matching.map(({ group }) => group))];
  return groups.flatMap((group) => matching.filter((command) => command.group === group));
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
