/** A keyword of a brief. A figure that is absent is unknown. */
export type BriefKeyword = {
  readonly name: string;
  readonly volume?: number | undefined;
  readonly difficulty?: number | undefined;
  readonly cpc?: number | undefined;
  readonly position?: number | undefined;
  readonly intents: readonly string[];
};

/** The first items of a list, and how many follow that are not shown. */
export type Some<T> = { readonly shown: readonly T[]; readonly more: number };

/** A page that ranks: for how many of the keywords, and its best position. */
export type BriefPage = {
  readonly url: string;
  readonly keywords: number;
  readonly bestPosition?: number | undefined;
};

/** A link to another page: the text to link, and the names that lead from below the root to the node that the page is for. */
type BriefLink = { readonly anchor: string; readonly path: readonly string[] };

/** The pages that rank for some keywords, and for how many of these it is known which pages rank. */
export type BriefPages = Some<BriefPage> & { readonly known: number };

/**
 * What an author needs to know to write the page of an entry of the plan. Every form of a brief (HTML, Markdown, a sheet) shows this data.
 * A figure that is absent is unknown, and never 0.
 */
export type Brief = {
  readonly title: string;
  /** The names from the pillar to the entry. */
  readonly path: readonly string[];
  /** The ID of the node. */
  readonly node: string;
  /** The upload does not contain the node. The figures are those of the last upload that did. */
  readonly isMissing?: true;
  /** The address that opens the entry in the explorer; absent for visitors of a link. */
  readonly opens?: string | undefined;
  /** What is planned, field by field, under the titles that every form uses; empty for a cluster that is not planned. A month is `2027-02`. */
  readonly target: readonly { readonly id: string; readonly title: string; readonly value: string }[];
  /** May have several lines. */
  readonly note?: string | undefined;
  readonly figures: {
    readonly keywords: number;
    readonly volume?: number | undefined;
    /** How many of the keywords have a known volume. */
    readonly volumeKnown?: number | undefined;
    readonly difficulty?: number | undefined;
    /** The share of the entry whose difficulty is known, 0 to 1. */
    readonly difficultyKnown?: number | undefined;
    readonly cpc?: number | undefined;
    /** Each intent with its share of the keywords whose intent is known, largest first; empty if none is known. */
    readonly intents: readonly { readonly intent: string; readonly share: number }[];
    /** How many of the keywords have a known intent. */
    readonly intentKnown?: number | undefined;
  };
  /**
   * Absent for a node without keywords. `isListed`: whether it is one of the entry's keywords. If not, it may be a keyword of another entry;
   * one that the file does not have has no figures.
   */
  readonly primary?: (BriefKeyword & { readonly isListed: boolean }) | undefined;
  /** The entry's other keywords, heaviest first. A keyword belongs to the nearest entry above it. */
  readonly supporting: Some<BriefKeyword>;
  /** Those of the entry's keywords that are questions, the primary one included, heaviest first. */
  readonly questions: Some<BriefKeyword>;
  /** The pages that rank for its keywords according to the file; absent if the file names none. */
  readonly ranking?: BriefPages | undefined;
  /** The pages in the search results of its keywords; absent if the file has no search results. */
  readonly results?: BriefPages | undefined;
  /** How many keywords had their URLs looked at. A very large entry has more keywords than that. */
  readonly lookedAt: number;
  /** Suggested internal links; absent if the file does not say which nodes are similar. */
  readonly linksTo?: readonly BriefLink[] | undefined;
  readonly linksFrom?: readonly BriefLink[] | undefined;
  readonly similar?: readonly { readonly name: string; readonly above: string }[] | undefined;
};
