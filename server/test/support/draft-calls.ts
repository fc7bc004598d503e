import { DraftAddresses } from '@kc/cluster/draft/addresses';
import type { DraftState } from '@kc/cluster/draft/draft-state';
import type { Draft, EditedDraft } from '@kc/rules/draft-shapes';
import type { Refusal } from '@kc/rules/result';
import type { StoredDraft } from '../../src/drafts/stored-draft.ts';
import type { TestServer } from './server.ts';

export type Someone = { readonly id: string; readonly cookie: string };
export type Answer<Body> = {
  readonly status: number;
  readonly answer: Body;
  readonly code: string | undefined;
  readonly params: Refusal['params'];
};

/** A call about drafts on one server. @param path below `/api/drafts/` */
export async function askDraft<Body = EditedDraft>(
  server: TestServer,
  { cookie }: Someone,
  method: string,
  path: string,
  body?: unknown,
): Promise<Answer<Body>> {
  const { statusCode, body: text } = await server.call(method, `/api/drafts/${path}`, { cookie, body });
  const answer = JSON.parse(text) as Body & { readonly data?: Refusal };
  return { status: statusCode, answer, code: answer.data?.code, params: answer.data?.params };
}

export const operate = (server: TestServer, who: Someone, id: string, after: number, operation: unknown) =>
  askDraft(server, who, 'POST', `${id}/operations`, { after, operation });

export const step = (server: TestServer, who: Someone, id: string, kind: 'undo' | 'redo', after: number) =>
  askDraft(server, who, 'POST', `${id}/${kind}`, { after });

export const lease = (server: TestServer, who: Someone, id: string, takeOver = false) =>
  askDraft<Draft>(server, who, 'PUT', `${id}/lease`, { takeOver });

export const publish = (server: TestServer, who: Someone, id: string, after: number, name: string, description = '') =>
  askDraft<Draft>(server, who, 'POST', `${id}/publish`, { after, name, description });

/** The address of the topic that a keyword is in. */
export function topicAddress({ context, name }: StoredDraft, state: DraftState, keyword: string): string {
  const { texts } = context.list;
  return new DraftAddresses(state, texts, name).ofTopic(state.topicOf[texts.indexOf(keyword)]!);
}
