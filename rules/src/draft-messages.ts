/** "1 keyword", "1,200 keywords". @param shown a number as people read it */
const keywords = (shown: string): string => `${shown} ${shown === '1' ? 'keyword' : 'keywords'}`;
const clusters = (shown: string | number): string => `${shown} ${String(shown) === '1' ? 'cluster' : 'clusters'}`;

const finenesses = [
  'Broadest',
  'Broad',
  'Between broad and balanced',
  'Balanced',
  'A little finer than balanced',
  'Finer than balanced',
  'A little broader than page-level',
  'Page-level',
  'Finest',
] as const;

/** How fine the clusters of a granularity are: "Balanced". @param stop 1 to 9 */
export const finenessOf = (stop: number): string => finenesses[stop - 1] ?? '';

/** Texts about drafts: clustered lists before they are published. Spread into the catalogue of `messages.ts`. */
export const draftMessages = {
  'draft/not-found': 'This draft does not exist or is not yours to see.',
  'draft/not-ready': 'This draft cannot be edited now.',
  'draft/behind': 'This draft has changed in the meantime. You now see its current state; try again.',
  'draft/editing': (p: { name: string }) => `${p.name} is editing this draft.`,
  'draft/taken-over': (p: { name: string }) => `${p.name} took over.`,
  'draft/too-many': (p: { max: number }) =>
    `There ${p.max === 1 ? 'is 1 draft' : `are ${p.max} drafts`} already. Publish or discard one to start another.`,
  'draft/too-often': (p: { seconds: number }) =>
    `Too many drafts were started within an hour. Please wait ${p.seconds} seconds and try again.`,
  'draft/out-of-memory': (p: { allowed: number }) =>
    `Clustering this list needs more than the ${p.allowed} MiB of memory that the server allows. Raise INGEST_MEMORY or choose a smaller list.`,
  'draft/busy': 'This draft is being changed. Please try again.',
  'draft/publishing-slowly':
    'The server has not answered yet. Publishing a large draft can take minutes; its map opens here when it is done.',
  'draft/unreadable':
    'A part of this draft cannot be read, so the draft cannot be changed. Try again later. If that does not help, publish it as it is and choose “Adjust clusters” for the new map, or discard the draft and import the list again.',
  'draft/keeps-name': (p: { name: string }) =>
    `A part of this draft cannot be read, so its map cannot be renamed. Publish it under the name ${p.name}.`,
  'draft/not-saved': (p: { reason: string }) =>
    `A change was not saved (${p.reason}). Make it again, or reload the page.`,
  'draft/failed': (p: { id: string }) =>
    `Clustering failed. The files are kept. Try again, or tell an administrator this id: ${p.id}`,
  'draft/memory': (p: { needed: number; allowed: number }) =>
    `Clustering this list needs about ${p.needed} MiB of memory and the server allows ${p.allowed} MiB. Raise INGEST_MEMORY or choose a smaller list.`,
  'draft/stalled': (p: { minutes: number }) =>
    `Clustering made no progress for ${p.minutes} min and was stopped. The files are kept. Choose a smaller list, or ask an administrator whether the server has a language model that is too slow for it.`,
  'draft/too-slow': (p: { hours: number }) =>
    `Clustering was not done after ${p.hours} h and was stopped. The files are kept. Choose a smaller list, or ask an administrator whether the server has a language model that is too slow for it.`,
  'draft/right-lost': 'The person who started this draft may no longer import lists.',
  'draft/stopped': (p: { until: string }) => `Clustering was stopped. The files are kept until ${p.until}.`,
  'draft/expires': (p: { date: string }) => `This draft is deleted on ${p.date}.`,
  'draft/discarded': (p: { name: string }) => `Draft ${p.name} was discarded.`,

  'draft/name-taken': 'Another cluster here has this name. Choose another one.',
  'draft/pillar-taken': 'A pillar topic with this name exists. Choose another name.',
  'draft/name-empty': 'Enter a name.',
  'draft/unknown-node': 'This part of the draft does not exist any more.',
  'draft/one-level': 'Only clusters of one level can be merged.',
  'draft/not-splittable': 'This cluster cannot be split further.',
  'draft/not-here': 'This cannot be done with what is selected.',
  'draft/map-not-json': 'This file is not valid JSON, so it cannot be adjusted or updated.',
  'draft/map-no-keywords': 'This file has no topics with keywords, so it cannot be adjusted or updated.',
  'draft/map-keyword-twice':
    'A keyword is in several places of this map, and a draft has each keyword once. So the map cannot be adjusted or updated.',
  'draft/map-keyword-missing':
    'This map has an entry without a keyword, or a keyword without an entry, which a draft would lose. So it cannot be adjusted or updated.',
  'draft/map-topic-figures':
    'A topic of this map has figures of its own, which a draft would lose. So the map cannot be adjusted or updated.',
  'draft/map-topic-twice':
    'This map has two topics of the same name side by side. Rename one in the file and upload it again to adjust or update it.',
  'draft/map-too-large': (p: { mb: number; max: number }) =>
    `This map has ${p.mb} MB. Maps of up to ${p.max} MB can be adjusted or updated.`,
  'draft/nothing-left': 'A map needs at least one keyword.',
  'draft/nothing-to-undo': 'There is nothing to undo.',
  'draft/nothing-to-redo': 'There is nothing to redo.',
  'draft/no-granularity': 'This list came with its own grouping, so it has no granularity.',

  'draft/renamed': (p: { name: string }) => `Renamed to ${p.name}.`,
  'draft/named': (p: { count: number; name: string }) =>
    p.count === 1 ? `Named ${p.name}.` : `Named ${clusters(p.count)} anew.`,
  'draft/merged': (p: { count: number; name: string; keywords: string }) =>
    `Merged ${p.count} clusters into ${p.name}. ${keywords(p.keywords)}.`,
  'draft/split': (p: { name: string; parts: number }) => `Split ${p.name} into ${clusters(p.parts)}.`,
  'draft/moved': (p: { keywords: string; name: string }) => `Moved ${keywords(p.keywords)} to ${p.name}.`,
  'draft/locked': (p: { count: number }) => `Locked ${clusters(p.count)}.`,
  'draft/unlocked': (p: { count: number }) => `Unlocked ${clusters(p.count)}.`,
  'draft/sent-to-strays': (p: { keywords: string }) => `Sent ${keywords(p.keywords)} to the strays.`,
  'draft/excluded': (p: { keywords: string }) => `Excluded ${keywords(p.keywords)}.`,
  'draft/restored': (p: { keywords: string }) => `Restored ${keywords(p.keywords)}.`,
  'draft/accepted': (p: { count: number; shown: string }) => `Accepted ${p.shown}.`,
  'draft/kept': (p: { count: number; shown: string }) => `Kept ${keywords(p.shown)} with last month's figures.`,
  'draft/granularity': (p: { stop: number; clusters: string }) =>
    `Granularity ${p.stop} of 9, ${finenessOf(p.stop).toLowerCase()}: ${clusters(p.clusters)}.`,
  'draft/undone': 'Undone.',
  'draft/redone': 'Redone.',
} as const;
