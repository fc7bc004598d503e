import { type DraftStage, draftStages } from '@kc/rules/draft';
import type { Draft, NewDraft } from '@kc/rules/draft-shapes';
import { vi } from 'vitest';
import { type Handlers, refuses } from './fake-api.ts';

/** Ann's draft of one list, ready to be looked at; override what a test is about. */
export const draftOf = (change: Partial<Draft> = {}): Draft => ({
  id: 'draft',
  ownerId: 'ann',
  ownerEmail: 'ann@example.com',
  begunBy: 'ann',
  name: 'garden',
  description: '',
  state: 'ready',
  percent: 100,
  warnings: [],
  origin: 'lists',
  files: [{ id: 'list', name: 'garden.csv', size: 100, received: 100 }],
  settings: { preset: 'balanced', grouping: 'columns' },
  createdAt: 0,
  touchedAt: 0,
  expiresAt: Date.UTC(2100, 0, 1),
  ...change,
});

/** In all tests: an import that a test has left may still ask for its draft. */
let begun = 0;

/**
 * A server's drafts, with the calls that begin, list and end them. Lists that are sent arrive, and then the draft is
 * `working` until the test says what becomes of it.
 */
export function draftsOf(...first: readonly Draft[]) {
  let drafts = first;
  /** The draft is like this from now on. */
  const become = (id: string, change: Partial<Draft>): Draft => {
    drafts = drafts.map((one) => (one.id === id ? { ...one, ...change } : one));
    return drafts.find((one) => one.id === id)!;
  };
  const found = (id: string): Draft | Promise<never> =>
    drafts.find((one) => one.id === id) ?? refuses('draft/not-found')();
  const listOf = (uploadId: string) => {
    const draft = drafts.find(({ files }) => files.some(({ id }) => id === uploadId))!;
    return { draft, list: draft.files.find(({ id }) => id === uploadId)! };
  };
  const api = {
    'drafts.list': () => [...drafts],
    'drafts.get': vi.fn(({ id }: { id: string }) => found(id)),
    'drafts.create': vi.fn(({ files, settings, name, description, userId }: NewDraft) => {
      const id = `draft-${++begun}`;
      const lists = files.map((file, at) => ({ id: `${id}-${at}`, name: file.name, size: file.size, received: 0 }));
      const about = { name, description, settings, ownerId: userId };
      const draft = draftOf({ id, ...about, state: 'receiving', percent: 10, files: lists });
      drafts = [draft, ...drafts];
      return draft;
    }),
    'drafts.stop': ({ id }) => become(id, { state: 'stopped', percent: 0 }),
    'drafts.start': ({ id }) => become(id, { state: 'working', percent: 60 }),
    'drafts.remove': vi.fn(({ id }: { id: string }) => {
      drafts = drafts.filter((one) => one.id !== id);
      return { id };
    }),
    'HEAD /api/uploads/{id}': ({ parameters }) => {
      const { list } = listOf(parameters.id!);
      const headers = { 'upload-offset': `${list.received}`, 'upload-length': `${list.size}` };
      return new Response(null, { headers: { 'tus-resumable': '1.0.0', ...headers } });
    },
    'PATCH /api/uploads/{id}': async ({ parameters, request }) => {
      const { byteLength } = await request.arrayBuffer();
      const { draft, list } = listOf(parameters.id!);
      const received = list.received + byteLength;
      const files = draft.files.map((one) => (one === list ? { ...one, received } : one));
      const isComplete = files.every((one) => one.received === one.size);
      become(draft.id, { files, ...(isComplete && { state: 'working', percent: 60 }) });
      return new Response(null, { status: 204, headers: { 'tus-resumable': '1.0.0', 'upload-offset': `${received}` } });
    },
    'clustering.rates': () =>
      Object.fromEntries(draftStages.map((stage) => [stage, 0.1])) as Record<DraftStage, number>,
    'listReadings.find': () => ({}),
    'imports.settings': () => ({ publishes: false }),
    'visualizations.list': () => [],
  } satisfies Handlers;
  return { api, become, newest: (): Draft => drafts[0]! };
}
