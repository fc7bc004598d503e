/** Somebody with an account here, and what makes them known to those who share a map. */
export type PlanCandidate = {
  readonly id: string;
  readonly name: string;
  /** Whether the data of the plan are theirs. */
  readonly isOwner: boolean;
  readonly isAdmin: boolean;
  /** Whether they have opened a link to these data that names them, and that works and shows the plan. */
  readonly isColleague: boolean;
  /** Whether they have written in the plan, or made such a link. */
  readonly takesPart: boolean;
};

/**
 * The people whom somebody may make owners of entries: those who can open the map, as far as the asker may know of them.
 *
 * Administrators can open every map. Only other administrators may know who they are, unless they have shown themselves in
 * this plan. A colleague is somebody who has opened their link, so that making one does not tell whether an email has an
 * account.
 *
 * @returns by name
 */
export function offeredOwners(askerId: string, candidates: readonly PlanCandidate[]): readonly PlanCandidate[] {
  const isAskedByAdmin = candidates.some(({ id, isAdmin }) => id === askerId && isAdmin);
  return candidates
    .filter(({ isOwner, isAdmin, isColleague, takesPart }) => {
      if (isOwner || isColleague) return true;
      return isAdmin && (isAskedByAdmin || takesPart);
    })
    .toSorted((one, other) => compareNames(one.name, other.name) || compareNames(one.id, other.id));
}

const compareNames = (one: string, other: string): number => {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  return a < b ? -1 : a > b ? 1 : 0;
};
