import { randomUUID } from 'node:crypto';
import type { PlanAnswer, PlanPage } from '@kc/rules/plan-shapes';
import type { Answered, PlannedServer, Refused } from './planned.ts';

export type SharedWith = { readonly withPlan?: boolean; readonly mayEditPlan?: boolean };

/** A link of an owner to a colleague, which the colleague has opened in a browser of theirs. */
export type Colleague = Awaited<ReturnType<ReturnType<typeof colleaguesOf>['share']>>;

export function colleaguesOf(server: PlannedServer) {
  const send = async <T>(cookie: string, method: string, path: string, body?: object): Promise<Answered<T>> => {
    const answer = await fetch(`${server.app.url}/api${path}`, {
      method,
      headers: { cookie, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as T };
  };

  /** Exchanges a token, or the ID of a link, for a cookie. */
  async function open(by: { token: string } | { link: string }, session = '') {
    const answer = await fetch(`${server.app.url}/api/shared/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(session && { cookie: session }) },
      body: JSON.stringify(by),
    });
    const { id, data } = (await answer.json()) as { id: string } & Partial<Refused>;
    const set = answer.headers.get('set-cookie')?.split(';')[0];
    return { id, code: data?.code, cookie: [set, session].filter(Boolean).join('; ') };
  }

  async function share(maker: string, of: string, colleague: string, given: SharedWith = {}) {
    const { withPlan = true, mayEditPlan = true } = given;
    const email = (
      await server.db.selectFrom('accounts').select('email').where('id', '=', colleague).executeTakeFirstOrThrow()
    ).email;
    const body = { kind: 'colleague', email, days: 30, withPlan, mayEditPlan, withDownloads: false };
    const made = await server.call<{ id: string; token: string }>(maker, 'POST', `/visualizations/${of}/links`, body);
    const { id, token } = made.body;
    const { cookie } = await open({ token }, await server.cookie(colleague));
    const path = (rest: string) => `/shared/${id}/${rest}`;
    return {
      id,
      token,
      cookie,
      call: <T>(method: string, rest: string, body?: object) => send<T & Refused>(cookie, method, path(rest), body),
      read: async (since = 0): Promise<PlanPage> =>
        (await send<PlanPage>(cookie, 'GET', path(`plan?since=${since}`))).body,
      /** Sets fields of entries as the page of a colleague does. */
      set: (entries: readonly string[], set: object, more: object = {}) =>
        send<PlanAnswer & Refused>(cookie, 'POST', path('plan/changes'), {
          batch: randomUUID(),
          base: 0,
          targets: entries.map((entry) => ({ entry })),
          set,
          ...more,
        }),
      revoke: () => server.call(maker, 'DELETE', `/links/${id}`),
    };
  }
  return { share, open, send };
}
