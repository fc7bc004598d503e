import { randomUUID } from 'node:crypto';
import { can } from '@kc/rules/access';
import { limits } from '@kc/rules/limits';
import { done, type Result, refuse } from '@kc/rules/result';
import { cleanViewName, ordered } from '@kc/rules/saved-view';
import type { SavedView } from '@kc/rules/view-api';
import { api, personOf, type RequestContext } from '../accounts/require.ts';
import { type Db, inTransaction, type Queryable } from '../database/open.ts';
import { allowed, asError } from '../http/refusals.ts';
import { published } from './access.ts';
import { findVisualization, lockOwner, type OwnedRecord } from './queries.ts';
import {
  deleteView,
  findView,
  insertView,
  listViews,
  placeViews,
  type SavedViewRecord,
  setViewName,
} from './saved-view-queries.ts';

type SavedViewDeps = { readonly db: Db; now(): number };

/**
 * The contract's calls about saved views. A view belongs to the account that saved it. It refers to the data that a
 * visualization shows and is listed with each of the owner's visualizations with the same root. Source:
 * docs/decisions/031.
 */
export function savedViewRoutes({ db, now }: SavedViewDeps) {
  return {
    views: {
      list: api.views.list.handler(async ({ input, context }) => {
        const record = await published(db, context, input.id);
        return (await listViews(db, personOf(context).account.id, record)).map(present);
      }),
      save: api.views.save.handler(async ({ input, context }) => {
        const record = await published(db, context, input.id);
        const name = nameIn(input.name);
        return present(allowed(await save(context, record, { name, state: input.state, at: input.at })));
      }),
      order: api.views.order.handler(async ({ input, context }) => {
        const record = await published(db, context, input.id);
        const views = await inTransaction(db, async (tx) => {
          const { asker, data } = await lockBoth(tx, context, record);
          const ids = (await listViews(tx, asker, data)).map(({ id }) => id);
          await placeViews(tx, ordered(ids, input.ids));
          return listViews(tx, asker, data);
        });
        return views.map(present);
      }),
      rename: api.views.rename.handler(async ({ input, context }) => {
        const view = await ownView(context, input.id);
        const name = nameIn(input.name);
        if (!(await setViewName(db, view.id, name))) throw notFound();
        return present({ ...view, name });
      }),
      remove: api.views.remove.handler(async ({ input, context }) => {
        const { id } = await ownView(context, input.id);
        await deleteView(db, id);
        return { id };
      }),
    },
  };

  function save(
    context: RequestContext,
    record: OwnedRecord,
    { name, state, at }: { readonly name: string; readonly state: string; readonly at: number | undefined },
  ): Promise<Result<SavedViewRecord>> {
    return inTransaction(db, async (tx) => {
      const { asker, data } = await lockBoth(tx, context, record);
      const ids = (await listViews(tx, asker, data)).map(({ id }) => id);
      if (ids.length >= limits.maxSavedViews) return refuse('visualization/views-full', { max: limits.maxSavedViews });
      const { user_id: owner_id, root_name } = data;
      const view = { id: randomUUID(), account_id: asker, owner_id, root_name, name, state, position: ids.length };
      const saved = { ...view, created_at: new Date(now()) };
      await insertView(tx, saved);
      await placeViews(tx, ids.toSpliced(at ?? ids.length, 0, view.id));
      return done(saved);
    });
  }

  async function ownView(context: RequestContext, id: string): Promise<SavedViewRecord> {
    const view = await findView(db, id);
    if (!view) throw notFound();
    allowed(can(personOf(context).account, { do: 'views/change', accountId: view.account_id }, context.builtInAdmins));
    return view;
  }
}

/**
 * Waits for its turn among requests that save views as this user, or change the visualization's owner or existence.
 * Always locks in the same order, so that two requests cannot deadlock.
 *
 * @throws the refusal if either is gone meanwhile
 */
async function lockBoth(
  tx: Queryable,
  context: RequestContext,
  record: OwnedRecord,
): Promise<{ readonly asker: string; readonly data: OwnedRecord }> {
  const askerId = personOf(context).account.id;
  const now = new Map<string, string | undefined>();
  for (const id of [...new Set([askerId, record.user_id])].sort()) now.set(id, await lockOwner(tx, id));
  const asker = now.get(askerId);
  const data = await findVisualization(tx, record.id);
  if (asker === undefined || !data) throw asError({ code: 'visualization/not-found' });
  return { asker, data };
}

function nameIn(text: string): string {
  const name = cleanViewName(text);
  if (name === '') throw asError({ code: 'visualization/view-unnamed' });
  return name;
}

const present = ({ id, name, state }: SavedViewRecord): SavedView => ({ id, name, state });
const notFound = () => asError({ code: 'visualization/view-not-found' });
