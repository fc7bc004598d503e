/** A link that somebody opened who had to sign in first; of this tab alone, and gone with it. */
const key = 'wanted-page';

/** @param href path and search of our own */
export const keepReturnPage = (href: string): void => sessionStorage.setItem(key, href);

/** Where to go from here: to the link that was opened, once, if it leads into the page where this person belongs. */
export function takeReturnPage(home: string): string {
  const wanted = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return wanted?.startsWith(`${home}?`) ? wanted : home;
}
