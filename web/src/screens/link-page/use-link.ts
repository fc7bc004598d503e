import calls from 'virtual:contract';
import type { SharedPage } from '@kc/rules/link-shapes';
import { paths } from '@kc/rules/paths';
import { type Refusal, refusedWith, toRefusal } from '@kc/rules/result';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { functionsOf } from '../../api/calls.ts';
import type { Client } from '../../api/calls-about.ts';
import { readUrlState } from '../../explore/model/url-state.ts';

export type Shared =
  | { readonly state: 'opening' }
  | { readonly state: 'open'; readonly page: SharedPage }
  | { readonly state: 'refused'; readonly refusal: Refusal };

/**
 * Opens the link in the address of the page: exchanges its token for a cookie, and takes the token out of the address.
 * Afterwards the address names the link without it, so that the page can be reloaded as long as the cookie lasts.
 *
 * Follows the link: whatever ends it ends the page within a second.
 */
export function useLink(): Shared {
  const { history } = useRouter();
  const [shared, setShared] = useState<Shared>({ state: 'opening' });
  const opening = useRef<Promise<string> | undefined>(undefined);
  const id = shared.state === 'open' ? shared.page.id : undefined;
  useEffect(() => {
    let isLeft = false;
    const refuse = (error: unknown) => {
      if (!isLeft) setShared({ state: 'refused', refusal: toRefusal(error) });
    };
    // Once: each exchange counts as an opening.
    opening.current ??= linkOf(location.hash.slice(1), history.location.search);
    opening.current
      .then(async (named) => {
        if (location.hash !== '') history.replace(`${paths.shared}?v=${encodeURIComponent(named)}`);
        const page = await pageOf(named);
        if (!isLeft) setShared({ state: 'open', page });
      })
      .catch(refuse);
    return () => {
      isLeft = true;
    };
  }, [history]);
  useEvents(id, (error) => setShared({ state: 'refused', refusal: toRefusal(error) }));
  return shared;
}

/** Codes of a browser that has no cookie of the link, or one that is over. */
const notOpened: ReadonlySet<string> = new Set(['session/required', 'link/reopen']);

/** The page of a link. Whoever is signed in as the colleague that it names needs no token to open it, as in a mail. */
async function pageOf(id: string): Promise<SharedPage> {
  try {
    return await linkClient.sharing.page({ id });
  } catch (error) {
    if (!notOpened.has(toRefusal(error).code)) throw error;
    await linkClient.sharing.open({ link: id }).catch((reason: unknown) => {
      // The link of a client: it has to be opened again from its message.
      throw toRefusal(reason).code === 'link/ended' ? error : reason;
    });
    return linkClient.sharing.page({ id });
  }
}

async function linkOf(token: string, search: string): Promise<string> {
  if (token !== '') return (await linkClient.sharing.open({ token })).id;
  const named = readUrlState(search).visualization;
  if (named === undefined) throw refusedWith({ code: 'link/ended' });
  return named;
}

/**
 * Refetches the plan when it may have changed. Calls back when the server reports that the link has ended, or no longer
 * allows listening to it.
 */
function useEvents(id: string | undefined, onEnd: (error: unknown) => void): void {
  const queries = useQueryClient();
  const latest = useRef(onEnd);
  latest.current = onEnd;
  useEffect(() => {
    if (id === undefined) return;
    let stream: EventSource | undefined;
    let again: ReturnType<typeof setTimeout> | undefined;
    let isLeft = false;
    const check = () =>
      linkClient.sharing.page({ id }).then(
        () => true,
        (error: unknown) => {
          const isPassing = passing.has(toRefusal(error).code);
          if (!isPassing && !isLeft) latest.current(error);
          return isPassing;
        },
      );
    const listen = () => {
      stream = new EventSource(`/api/shared/${encodeURIComponent(id)}/events`);
      const readPlan = () => void queries.invalidateQueries({ queryKey: ['plans', id] });
      // Changes before it was open are not reported.
      stream.addEventListener('open', readPlan);
      stream.addEventListener('plans', readPlan);
      const over = async () => {
        stream?.close();
        if ((await check()) && !isLeft) again = setTimeout(listen, retryMs);
      };
      stream.addEventListener('ended', ({ data }: MessageEvent<string>) => {
        stream?.close();
        if (!isLeft) latest.current(refusedWith(JSON.parse(data) as Refusal));
      });
      stream.addEventListener('error', () => void over());
    };
    listen();
    return () => {
      isLeft = true;
      clearTimeout(again);
      stream?.close();
    };
  }, [id, queries]);
}

const retryMs = 3_000;
/** After these the link may still work. */
const passing: ReadonlySet<string> = new Set(['fault/offline', 'fault/unavailable', 'fault/internal', 'link/too-many']);

/** The calls under the same names, for the visitors of a link: `id` is then the link. Those that only read exist. */
export const linkClient = functionsOf(calls, '/api', (address, init) =>
  fetch(String(address).replace(/^\/api\/visualizations\//, '/api/shared/'), init),
) as unknown as Pick<Client, 'visualizations' | 'plans' | 'warnings' | 'sharing'>;
