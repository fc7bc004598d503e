import { createHash } from 'node:crypto';
import type { Filter } from '@kc/pack/filter/filter';
import { hasCoveredCondition } from '@kc/pack/filter/filter-text';
import { defaultThresholds } from '@kc/pack/vocabulary/changes';
import { readThresholds } from '@kc/rules/changes';
import { type LinkNeed, linkAllows } from '@kc/rules/link';
import { statusRank } from '@kc/rules/plan';
import { type RequestContext, visitorOf } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import { planData } from '../plans/plan-data.ts';
import { findPlan, namesOf, ownersIn, placesOf, withOwnerNames } from '../plans/plan-queries.ts';
import { comparable } from '../visualizations/access.ts';
import { openDataSet } from '../visualizations/data-sets.ts';
import type { FindMarks } from '../visualizations/query/filter-cache.ts';
import type { Marks } from '../visualizations/query/marks.ts';
import type { PackQueries } from '../visualizations/query/pack-queries.ts';
import { rememberMarks } from '../visualizations/query/repeat-marks.ts';
import { dismissedOf, thresholdsFor } from '../warnings/warning-records.ts';

type FindMarksDeps = { readonly db: Db; readonly packQueries: Pick<PackQueries, 'hasMarks' | 'keepMarks'> };

/** One part of the marks: a text that is equal for equal ones, and how they are read if the query thread lacks them. */
type Part = { readonly text: string; read(): Promise<Marks> };

/**
 * A link opens the calls of the map, and these could reveal what it does not include.
 *
 * @throws the refusal as for a call that the link does not include
 */
function requireInLink(context: RequestContext, need: LinkNeed): void {
  const visitor = visitorOf(context);
  if (visitor && !linkAllows(visitor, need)) throw asError({ code: 'request/not-found' });
}

/** Finds the plan, the judgements and the earlier upload that a filter or a slice refers to, and caches them under a key. */
export function findMarks({ db, packQueries }: FindMarksDeps): FindMarks {
  async function cacheMarks(parts: readonly Part[]): Promise<string> {
    const key = createHash('sha256')
      .update(JSON.stringify(parts.map(({ text }) => text)))
      .digest('hex')
      .slice(0, 32);
    const read = async (): Promise<Marks> =>
      Object.assign({}, ...(await Promise.all(parts.map((part) => part.read())))) as Marks;
    rememberMarks(key, read);
    if (!(await packQueries.hasMarks({ key }))) await packQueries.keepMarks({ key, marks: await read() });
    return key;
  }

  /** @throws the refusal of somebody who may not read the plan */
  async function ofPlan(context: RequestContext, id: string): Promise<Part> {
    requireInLink(context, 'plan');
    const plan = await findPlan(db, (await planData(db, context, id)).set);
    const version = `${plan?.id ?? ''}:${plan?.revision ?? 0}`;
    return {
      text: `plan ${version}`,
      async read() {
        const places = plan ? await placesOf(db, plan.id) : [];
        const entries = places.map(({ id: entry, paths, fields }) => ({
          id: entry,
          paths,
          rank: statusRank(fields.status),
        }));
        return { plan: { version, entries } };
      },
    };
  }

  /** @throws the refusal of somebody who may not read the plan, or of a link that leaves these fields out */
  async function ofFields(context: RequestContext, id: string, parts: Filter['planned']): Promise<Part> {
    requireInLink(context, 'plan');
    // A client does not see these: see `sharedFields`.
    const isTeams = parts.some(({ of }) => of === 'owner' || of === 'tag');
    if (isTeams && visitorOf(context)?.kind === 'client') throw asError({ code: 'request/not-found' });
    const plan = await findPlan(db, (await planData(db, context, id)).set);
    // An account may get another name without a change of the plan.
    const isAboutOwners = plan && parts.some(({ of }) => of === 'owner');
    const owners = isAboutOwners ? await namesOf(db, await ownersIn(db, plan.id)) : [];
    return {
      text: `planned ${plan?.id ?? ''}:${plan?.revision ?? 0} ${JSON.stringify(owners)}`,
      async read() {
        const places = plan ? await withOwnerNames(db, await placesOf(db, plan.id)) : [];
        return {
          planned: places.map(({ id: entry, paths, fields: { assignee, contentType, tags, due } }) => ({
            id: entry,
            paths,
            fields: { owner: assignee, content: contentType, tags, due },
          })),
        };
      },
    };
  }

  async function ofWarnings(context: RequestContext, id: string): Promise<Part> {
    requireInLink(context, 'warnings');
    const { record, set } = await openDataSet(db, context, id, 'warnings/judge');
    const dismissed = await dismissedOf(db, set);
    const warnings = { fileKey: record.file_key, thresholds: await thresholdsFor(db, set), dismissed };
    return { text: `warnings ${JSON.stringify(warnings)}`, read: async () => ({ warnings }) };
  }

  async function ofChanges(context: RequestContext, id: string, seen: string): Promise<Part> {
    const params = new URLSearchParams(seen);
    const [vs, ct] = [params.get('vs'), params.get('ct')];
    const thresholds = ct === null ? defaultThresholds : readThresholds(ct);
    if (vs === null || !thresholds) throw asError({ code: 'visualization/filter-invalid' });
    const { before } = await comparable(db, context, id, vs);
    const changes = { vsKey: before.pack_key, thresholds };
    return { text: `changes ${JSON.stringify(changes)}`, read: async () => ({ changes }) };
  }

  return {
    async ofFilter(context, { id }, filter: Filter) {
      const { plan, planned, warnings, changes, seen } = filter;
      return cacheMarks([
        ...(plan.length > 0 || hasCoveredCondition(filter) ? [await ofPlan(context, id)] : []),
        ...(planned.length > 0 ? [await ofFields(context, id, planned)] : []),
        ...(warnings.length > 0 ? [await ofWarnings(context, id)] : []),
        ...(changes.length > 0 ? [await ofChanges(context, id, seen)] : []),
      ]);
    },
    ofPlan: async (context, { id }) => cacheMarks([await ofPlan(context, id)]),
    ofWarnings: async (context, { id }) => cacheMarks([await ofWarnings(context, id)]),
  };
}
