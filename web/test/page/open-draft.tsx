import type { DraftState } from '@kc/cluster/draft/draft-state';
import { applyOperation } from '@kc/cluster/draft/operations';
import { reviewPage } from '@kc/cluster/draft/review';
import { mapJson, type PlannedMap, planMap } from '@kc/cluster/lists/make-map';
import { planUpdate } from '@kc/cluster/lists/plan-update';
import { readLists } from '@kc/cluster/lists/read-lists';
import { readMap } from '@kc/cluster/map/read-map';
import type { Draft, EditedDraft } from '@kc/rules/draft-shapes';
import { limits } from '@kc/rules/limits';
import { expect, vi } from 'vitest';
import { page } from 'vitest/browser';
import { exactNeighbours } from '../../../cluster/test/support/exact-neighbours.ts';
import { arraySource } from '../../../pack/test/support/trees.ts';
import { countsOf, marksOf } from '../../../server/src/drafts/draft-figures.ts';
import type { StoredDraft } from '../../../server/src/drafts/stored-draft.ts';
import { fakeApi, type Handlers, refuse } from './fake-api.ts';
import { draftOf } from './fake-drafts.ts';
import { mapsApi, type Upload } from './maps-api.ts';
import { openApp } from './open-app.tsx';

type Revision = { readonly state: DraftState; readonly viewId: string; readonly upload: Upload };

/**
 * Ann's draft of a list, as a server answers about it. It is clustered by wording, edited and undone by the clustering
 * itself in this page; each revision is read like a map. Publishing only marks the draft.
 *
 * @param list the text of a CSV file. @param updateOf the list of the map that it updates
 */
export async function draftApi(list: string, change: Partial<Draft> = {}, updateOf?: string) {
  const name = change.name ?? 'tools';
  const first = await planned(list);
  const plan = updateOf === undefined ? first : await update(await planned(updateOf), list, name);
  const uploadOf = (state: DraftState): Upload => JSON.parse(textOf(mapJson(plan, state, name)));
  const revisionOf = (state: DraftState): Revision => ({
    state,
    viewId: `view-${++made}`,
    upload: uploadOf(state),
  });
  let revisions = [revisionOf(plan.state)];
  /** Those up to the current one; the others can be redone. */
  let operation = 0;
  let about = draftOf({ name, ...change });

  const draft = (): Draft => {
    const { state, viewId } = revisions[operation]!;
    const history = { canUndo: operation > 0, canRedo: operation < revisions.length - 1 };
    const stop = state.stop === undefined ? {} : { stop: state.stop };
    return { ...about, revision: { viewId, operation, counts: countsOf(state), ...stop, ...history } };
  };
  /** Revisions that were replaced can still be read for a while. */
  const readable: Revision[] = [];
  async function showRevisions(): Promise<Handlers> {
    readable.push(...revisions.filter((one) => !readable.includes(one)));
    return mapsApi(
      ...readable.map(({ upload, viewId }) => ({ upload, record: { id: viewId, fileName: `${name}-draft.json` } })),
    );
  }
  async function moved(to: number, effect: EditedDraft['effect']): Promise<EditedDraft> {
    operation = to;
    const { 'visualizations.list': _, ...maps } = await showRevisions();
    fakeApi(maps);
    return { draft: draft(), effect };
  }
  const demandNewest = (after: number): void => {
    if (after !== operation) refuse('draft/behind');
  };
  const api = {
    'drafts.get': draft,
    'drafts.lease': draft,
    'drafts.operate': vi.fn(async ({ after, operation: wanted }) => {
      demandNewest(after);
      const applied = applyOperation(plan, revisions[operation]!.state, wanted, name);
      if ('refusal' in applied) return refuse(applied.refusal);
      revisions = [...revisions.slice(0, operation + 1), revisionOf(applied.state)];
      return moved(operation + 1, applied.effect as EditedDraft['effect']);
    }),
    'drafts.undo': ({ after }) => {
      demandNewest(after);
      return moved(operation - 1, { code: 'draft/undone' });
    },
    'drafts.redo': ({ after }) => {
      demandNewest(after);
      return moved(operation + 1, { code: 'draft/redone' });
    },
    'drafts.marks': () => marksOf({ name, context: plan } as unknown as StoredDraft, revisions[operation]!.state),
    'drafts.review': ({ tab, after = 0 }) =>
      reviewPage(plan, revisions[operation]!.state, name, { tab, after, count: limits.reviewPageRows }),
    'drafts.publish': vi.fn(({ name: published, description }) => {
      about = { ...about, state: 'publishing', name: published, description };
      return draft();
    }),
  } satisfies Handlers;
  const all = async (): Promise<Handlers & typeof api> => ({
    ...(await showRevisions()),
    ...api,
    'visualizations.list': () => [],
  });
  return {
    api: await all(),
    /** For another page, after changes. */
    apiNow: all,
    draft,
    /** The draft is like this from now on. */
    become: (next: Partial<Draft>) => {
      about = { ...about, ...next };
    },
  };
}

/** In all tests. */
let made = 0;

async function planned(list: string): Promise<PlannedMap> {
  return planMap(await read(list), { preset: 'balanced', grouping: 'columns' }, async () => tools);
}

async function update(before: PlannedMap, list: string, name: string): Promise<PlannedMap> {
  return planUpdate(await read(list), readMap(textOf(mapJson(before, before.state, name))), 'en', async () => tools);
}

const tools = { neighbours: exactNeighbours };

async function read(list: string) {
  const source = arraySource(new TextEncoder().encode(list));
  const lists = await readLists([{ name: 'list.csv', source }]);
  if ('refusal' in lists) throw new Error(`Not a list: ${JSON.stringify(lists)}`);
  return lists;
}

function textOf(blocks: Iterable<Uint8Array>): string {
  const decoder = new TextDecoder();
  return [...blocks].map((block) => decoder.decode(block, { stream: true })).join('');
}

type Opening = {
  readonly draft?: Partial<Draft>;
  /** The list of the map that it updates. */
  readonly updateOf?: string;
  readonly search?: string;
  readonly api?: Handlers;
};

/** Opens a draft of a list in the explorer for Ann, drawn. */
export async function openDraft(list: string, { draft: about, updateOf, search = '', api = {} }: Opening = {}) {
  const made = await draftApi(list, about, updateOf);
  await openApp(`/visualization?draft=${made.draft().id}${search}`, { as: 'admin', api: { ...made.api, ...api } });
  await expect.element(page.getByRole('application')).toBeVisible();
  return made;
}
