/** A keyword of a brief. A figure that is absent is unknown. */
export type BriefKeyword = {
  readonly name: string;
  readonly volume?: number | undefined;
  readonly difficulty?: number | undefined;
  readonly cpc?: number | undefined;
  readonly position?: number | undefined;
  readonly intents: readonly string[];
};

/** Some of a list, and how many it has beyond them. */
export type Some<T> = { readonly shown: readonly T[]; readonly more: number };

/** A page that ranks: in how many of the keywords, and at best where. */
export type BriefPage = {
  readonly url: string;
  readonly keywords: number;
  readonly bestPosition?: number | undefined;
};

/** A link to another page: the text to link, and the names from below the root to what the page is for. */
type BriefLink = { readonly anchor: string; readonly path: readonly string[] };

/** Pages that rank, found among so many keywords: those of which it is known. */
export type BriefPages = Some<BriefPage> & { readonly known: number };

/**
 * What whoever writes the page of an entry needs to know: the model of every form of a brief. What is absent is unknown, and
 * never 0.
 */
export type Brief = {
  readonly title: string;
  /** The names from the pillar to the entry. */
  readonly path: readonly string[];
  /** The ID of the node. */
  readonly node: string;
  /** The upload does not have it: its figures are those of when it was last found. */
  readonly isMissing?: true;
  /** Opens the entry in the explorer; absent for visitors of a link. */
  readonly opens?: string | undefined;
  /** What is planned, by the titles of the other forms; empty for a cluster that is not planned. A month is `2027-02`. */
  readonly target: readonly { readonly id: string; readonly title: string; readonly value: string }[];
  /** Of several lines. */
  readonly note?: string | undefined;
  readonly figures: {
    readonly keywords: number;
    readonly volume?: number | undefined;
    /** For how many of the keywords it is known. */
    readonly volumeKnown?: number | undefined;
    readonly difficulty?: number | undefined;
    /** How much of the entry its difficulty is known for, 0 to 1. */
    readonly difficultyKnown?: number | undefined;
    readonly cpc?: number | undefined;
    /** Shares of the keywords whose intent is known, largest first; empty if none is known. */
    readonly intents: readonly { readonly intent: string; readonly share: number }[];
    /** For how many of the keywords it is known. */
    readonly intentKnown?: number | undefined;
  };
  /** Absent for a node without keywords. It has no figures if it is not among the keywords of the entry. */
  readonly primary?: (BriefKeyword & { readonly isListed: boolean }) | undefined;
  /** The other keywords of which this entry is the nearest one, heaviest first. */
  readonly supporting: Some<BriefKeyword>;
  /** Those of all of its keywords that are questions, heaviest first. */
  readonly questions: Some<BriefKeyword>;
  /** The pages that rank for its keywords as the file gives them; absent if it gives none. */
  readonly ranking?: BriefPages | undefined;
  /** The pages in the search results of its keywords; absent if the file has none. */
  readonly results?: BriefPages | undefined;
  /** Of the keywords whose URLs were looked at: fewer than it has, for a very large entry. */
  readonly lookedAt: number;
  /** Absent where the file does not say which nodes are similar. */
  readonly linksTo?: readonly BriefLink[] | undefined;
  readonly linksFrom?: readonly BriefLink[] | undefined;
  readonly similar?: readonly { readonly name: string; readonly above: string }[] | undefined;
};
