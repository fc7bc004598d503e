/** Texts about the plan. Its screens import them; they are part of the whole catalogue, too. */
export const planMessages = {
  'plan/url': 'Enter an address that begins with https:// or /',
  'plan/due': 'Enter a month, such as 2027-02.',
  'plan/full': (p: { max: string }) => `A plan can have ${p.max} entries. Remove some to add others.`,
  'plan/tags-full': (p: { max: number }) => `An entry can have ${p.max} tags. The others were left out.`,
  'plan/entry-not-found': 'This entry is no longer in the plan.',
  'plan/place-taken': 'Another entry of the plan is already at this place.',
  'plan/no-undo': 'This change is too old to be taken back.',
  'plan/too-many-writes': 'Too many changes in a short time. They are sent again in a moment.',
  'plan/load-failed': 'The plan could not be loaded.',
  'plan/added': (p: { name: string }) => `Added ${p.name} to the plan.`,
  'plan/added-many': (p: { count: number }) => `Added ${p.count} entries to the plan.`,
  'plan/removed': (p: { name: string }) => `Removed ${p.name} from the plan.`,
  'plan/removed-many': (p: { count: number }) => `Removed ${p.count} entries from the plan.`,
  'plan/outline-copied': 'Copied as Markdown.',
  'plan/undone': 'Undone.',
  'plan/moved': (p: { name: string; place: string }) => `${p.name} is now at ${p.place}.`,
  'plan/moved-many': (p: { count: number }) => `Moved ${p.count} entries.`,
  'plan/not-saved': (p: { reason: string }) => `The plan was not changed: ${p.reason}`,
  'plan/conflict': (p: { name: string; theirs: string; ago: string; yours: string }) =>
    `${p.name} set ${p.theirs} ${p.ago}. You chose ${p.yours}.`,
  'plan/changed-by': (p: { name: string }) => `Changed by ${p.name}`,
} as const;
