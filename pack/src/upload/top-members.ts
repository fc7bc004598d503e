import type { JsonMember } from '../json/json-plan.ts';
import { namesIn } from './spelling.ts';
import { IS_HIERARCHY, IS_KEYWORDS, topMember } from './upload-plan.ts';

/** Top-level members in which tools write the tree, as a list of nodes or as one node. `children`: the file is a node. */
const wrappers: ReadonlySet<string> = new Set(
  namesIn('children, data, result, results, items, tree, root, nodes, topics, pillars, clusters'),
);

/** Checks the members of the top-level object. */
export class TopMembers {
  #seen = 0;
  /** The first member that may hold the tree under another name. */
  #wrapper: string | undefined;

  member(name: string): JsonMember {
    if (wrappers.has(name)) this.#wrapper ??= name;
    return topMember(name);
  }

  /** Begins a known member. @returns the error if the file has it twice */
  begin(code: number): string | undefined {
    const isAgain = (this.#seen & code) !== 0;
    this.#seen |= code;
    return isAgain ? `"${code === IS_KEYWORDS ? 'keywords' : 'hierarchy'}" twice in the file` : undefined;
  }

  /** Ends the object. @returns the error if there is no hierarchy, with advice if another member seems to hold it */
  end(): string | undefined {
    if ((this.#seen & IS_HIERARCHY) !== 0) return undefined;
    const what = 'no "hierarchy" in the file';
    if (this.#wrapper === undefined) return what;
    if (this.#wrapper === 'children') return `${what} (it looks like one node: put it into { "hierarchy": … })`;
    return `${what} (put what is in "${this.#wrapper}" into { "hierarchy": { "name": …, "children": [ … ] } })`;
  }
}
