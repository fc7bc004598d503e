import { lazyRouteComponent } from '@tanstack/react-router';
import { readPage } from '../ui/reload.ts';

/** The script of a screen did not arrive. `cause` is the browser's error. */
export class MissingScript extends Error {
  constructor(cause: unknown) {
    super('The script of this page did not arrive', { cause });
  }
}

/**
 * A screen whose script is loaded when its route is opened. If that fails, the error screen reports it. The router by
 * itself would reload the page, and without a connection that leaves only the browser's own error page.
 */
export function lazyScreen<Screens extends Record<string, unknown>, Name extends keyof Screens & string>(
  load: () => Promise<Screens>,
  name: Name,
) {
  const loadOrFail = () =>
    load().catch((cause: unknown) => {
      throw new MissingScript(cause);
    });
  return lazyRouteComponent(loadOrFail, name);
}

/**
 * Whether the server has the build that this page was loaded with; undefined if it cannot be reached or is not ready.
 *
 * @param entry the address of the script that this page started with, as the document of the same build names it
 * @param read reads the document that the server sends for a page
 */
export async function buildOfServer(
  entry = entryOf(document),
  read: () => Promise<Response> = readPage,
): Promise<'same' | 'other' | undefined> {
  try {
    const response = await read();
    if (!response.ok) return undefined;
    return (await response.text()).includes(entry) ? 'same' : 'other';
  } catch {
    // No connection, or no response in time: that is part of the result.
    return undefined;
  }
}

const entryOf = (page: Document) => page.querySelector('script[type=module][src]')?.getAttribute('src') ?? '';

/** The script that is missing, as the browser names it, for which this tab has been reloaded. */
const reloadedFor = 'kc-reloaded-for';

/**
 * Reloads the page if the script of a screen is missing because the server has another build by now. Once for each
 * script: servers of two builds may respond in turn.
 */
export async function followNewBuild({ cause }: MissingScript): Promise<void> {
  if (sessionStorage.getItem(reloadedFor) === String(cause) || (await buildOfServer()) !== 'other') return;
  sessionStorage.setItem(reloadedFor, String(cause));
  location.reload();
}
