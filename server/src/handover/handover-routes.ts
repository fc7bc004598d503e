import { checkText, writeScore } from '@kc/pack/score/score';
import { handoverName } from '@kc/rules/download-name';
import { limits } from '@kc/rules/limits';
import { linkAllows, nameWithoutEmail, type Visitor } from '@kc/rules/link';
import { leadMonths } from '@kc/rules/plan';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { visitorOf } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { asError } from '../http/refusals.ts';
import { findLink } from '../links/link-queries.ts';
import { planData } from '../plans/plan-data.ts';
import { findPlan, placesOf, withOwnerNames } from '../plans/plan-queries.ts';
import { sharedFields } from '../plans/shared-plan.ts';
import { openable } from '../visualizations/access.ts';
import { type ExportDetails, type ExportSenders, sendExport } from '../visualizations/export/downloads.ts';
import type { HandoverForm, HandoverQuery, SharedNote } from '../visualizations/query/handover/handover-query.ts';
import {
  type ById,
  invalidQuery,
  noSuchNode,
  type ReadingDeps,
  readingRoute,
} from '../visualizations/reading-routes.ts';

type HandoverDeps = ReadingDeps &
  ExportSenders & {
    /** Where people open the product, without a slash at the end. */
    readonly baseUrl: string;
    /** Milliseconds since 1970. */
    now(): number;
  };

type HandoverSelection = Pick<HandoverQuery, 'of' | 'node' | 'rows' | 'nodes' | 'top' | 'score'>;

/** Rows that one address can name. */
const maxRows = 500;
/** Nodes that one address can name by their IDs, which are longer. */
const maxNodes = limits.maxBriefNodes;

const xlsxType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const forms: readonly { readonly path: string; readonly form: HandoverForm; readonly type: string }[] = [
  { path: 'plan.xlsx', form: 'xlsx', type: xlsxType },
  { path: 'plan.csv', form: 'csv', type: 'text/csv; charset=utf-8' },
  { path: 'outline.md', form: 'md', type: 'text/markdown; charset=utf-8' },
  { path: 'briefs.md', form: 'briefs.md', type: 'text/markdown; charset=utf-8' },
  { path: 'briefs.html', form: 'briefs.html', type: 'text/html; charset=utf-8' },
  { path: 'briefs.json', form: 'briefs.json', type: 'application/json; charset=utf-8' },
];

/** The plan of a visualization, or its clusters with what is planned for them, as files for other people. */
export function handoverRoutes(deps: HandoverDeps): FastifyPluginAsync {
  const { db, packQueries, filterOf, baseUrl, now } = deps;

  async function send(
    request: FastifyRequest<ById>,
    reply: FastifyReply,
    { form, type }: (typeof forms)[number],
  ): Promise<FastifyReply> {
    const context = request.requestContext;
    const { set } = await planData(db, context, request.params.id);
    const record = await openable(db, context, request.params.id);
    const visitor = visitorOf(context);
    const selection = readSelection(request);
    const seesPlan = !visitor || linkAllows(visitor, 'plan');
    // A call that a link does not include does not exist for its visitors.
    if (selection.of === 'plan' && !seesPlan) throw asError({ code: 'request/not-found' });
    const { filter: filterText } = request.query as Record<string, unknown>;
    const filter = await filterOf(context, record, filterText);
    if (selection.score !== undefined) await filterOf.scores(context, record, [selection.score]);
    if ([selection.node, ...(selection.rows ?? [])].some((row) => row >= record.nodes)) {
      throw noSuchNode();
    }
    const plan = seesPlan ? await findPlan(db, set) : undefined;
    const planned = plan ? await withOwnerNames(db, await placesOf(db, plan.id)) : [];
    const entries = visitor
      ? planned.map((entry) => ({ ...entry, fields: sharedFields(entry.fields, visitor.kind) }))
      : planned;
    const source = {
      fileName: record.file_name,
      description: record.description,
      uploadedAt: record.uploaded_at.getTime(),
      now: now(),
      newestMonth: record.newest_month ?? undefined,
      lead: plan?.lead_months ?? leadMonths,
      link: visitor ? undefined : `${baseUrl}/visualization?v=${encodeURIComponent(record.id)}`,
      shared: visitor && (await sharedNote(db, visitor)),
    };
    const query = {
      form,
      reader: { who: visitor?.kind ?? 'team', seesPlan },
      ...selection,
      filter,
      entries,
      source,
    } as const;
    const what = form.startsWith('briefs') ? briefsName(selection) : selection.of === 'plan' ? 'plan' : 'clusters';
    return sendExport(deps, request, reply, record, {
      details: auditDetails(query),
      type,
      begin: (signal) =>
        packQueries.beginHandover({ packKey: record.pack_key, fileKey: record.file_key, query, signal }),
      name: (branch) =>
        handoverName({
          root: record.root_name,
          what: branch === undefined ? what : `${branch}-${what}`,
          now: now(),
          extension: extensionOf(form),
        }),
    });
  }

  return async (scope) => {
    for (const form of forms) {
      // Visitors of a link get files, if it includes downloads; the plan, if it also includes that.
      readingRoute(scope, { path: form.path, link: 'downloads', exposeHeadRoute: false }, (request, reply) =>
        send(request, reply, form),
      );
    }
  };
}

/** What every page of a link says of it. */
async function sharedNote(db: Db, { linkId }: Visitor): Promise<SharedNote> {
  const link = await findLink(db, linkId);
  if (!link) throw asError({ code: 'link/ended' });
  const { shared_with, maker, expires_at } = link;
  return { with: shared_with, by: nameWithoutEmail(maker.display_name), until: expires_at.getTime() };
}

/** @throws the refusal of what cannot be read */
function readSelection({ query }: FastifyRequest<ById>): HandoverSelection {
  const { of = 'plan', node = '0', rows, nodes, top, score } = query as Record<string, unknown>;
  if (of !== 'plan' && of !== 'clusters') throw invalidQuery();
  return {
    of,
    node: rowIn(node),
    rows: rows === undefined ? undefined : rowsIn(rows),
    nodes: nodes === undefined ? undefined : nodesIn(nodes),
    top: top === undefined ? undefined : topIn(top),
    score: score === undefined ? undefined : scoreIn(score),
  };
}

function rowsIn(value: unknown): number[] {
  const rows = typeof value === 'string' ? value.split('.') : [];
  if (rows.length === 0 || rows.length > maxRows) throw invalidQuery();
  return rows.map(rowIn);
}

function nodesIn(value: unknown): string[] {
  const nodes = typeof value === 'string' ? value.split('.') : [];
  if (nodes.length > maxNodes || !nodes.every((one) => /^[0-9a-f]{16}$/.test(one))) throw invalidQuery();
  return nodes;
}

function topIn(value: unknown): number {
  const top = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : 0;
  if (top < 1 || top > limits.maxTopKeywords) throw invalidQuery();
  return top;
}

function rowIn(value: unknown): number {
  if (typeof value !== 'string' || !/^\d{1,10}$/.test(value)) throw invalidQuery();
  return Number(value);
}

function scoreIn(value: unknown): string {
  const checked = typeof value === 'string' ? checkText(value) : undefined;
  if (!checked?.ok) throw invalidQuery();
  return writeScore(checked.score);
}

const briefsName = ({ nodes }: HandoverSelection): string => (nodes?.length === 1 ? 'brief' : 'briefs');
const extensionOf = (form: HandoverForm) => (form.startsWith('briefs.') ? form.slice('briefs.'.length) : form);

function auditDetails({ form, of, node, rows, nodes, filter }: HandoverQuery): ExportDetails {
  const what = `${form.startsWith('briefs') ? 'briefs of ' : ''}${of === 'plan' ? 'the plan' : 'clusters'}`;
  const some = rows ? `${rows.length} rows` : nodes ? `${nodes.length} nodes` : node > 0 ? 'a branch' : undefined;
  const part = some ? `${what} of ${some}` : what;
  return { form: extensionOf(form) as ExportDetails['form'], part, ...(filter !== '' && { filtered: true }) };
}
