import { randomUUID } from 'node:crypto';
import { readSort, writeSort } from '@kc/pack/levels/row-sort';
import { checkText, writeScore } from '@kc/pack/score/score';
import { scoreFieldName } from '@kc/pack/score/score-name';
import { peakIn, seasonIndex } from '@kc/pack/season/peak';
import { changeLevels, changeNames } from '@kc/pack/vocabulary/changes';
import { levels, matchModes, planStatuses } from '@kc/pack/vocabulary/choices';
import { warningKinds } from '@kc/pack/vocabulary/warnings';
import type { Brief } from '@kc/rules/brief';
import type { ChangesPage } from '@kc/rules/change-shapes';
import { limits } from '@kc/rules/limits';
import { contentTypes } from '@kc/rules/plan';
import type { PlanAnswer, PlanEntry, PlanPage, PlanTotals } from '@kc/rules/plan-shapes';
import type { Field, NodeDetail, SearchAnswer, Visualization, WithheldField } from '@kc/rules/shapes';
import type { WarningPage, WarningSummary } from '@kc/rules/warning-shapes';
import { McpServer } from '@modelcontextprotocol/server';
import * as z from 'zod';
import {
  type AddTool,
  briefAnswer,
  coverageOf,
  entryOf,
  exportPath,
  figuresOf,
  fitted,
  measured,
  monthAt,
  rounded,
  whatIs,
} from './answers.ts';
import { conditions, filterText, text } from './conditions.ts';
import { importTools } from './import-tools.ts';
import { type MapApi, noSuchNode, ToolRefusal } from './map-api.ts';

/** The length of a list unless more is requested, and at most. */
const rowsAtATime = 20;
const maxRows = 50;

const map = z.string().max(64).optional().describe('ID of a map, from `maps`. The active map without it.');
const nodeId = z
  .string()
  .regex(/^[0-9a-f]{16}$/, 'A node is named by its ID, 16 hex digits, which `overview`, `ranking` and `search` say.');
const node = nodeId.optional().describe('ID of a branch or keyword, 16 hex digits. The whole map without it.');

type MapTools = {
  readonly api: MapApi;
  /** Where people open the product. */
  readonly origin: string;
  readonly version: string;
};

/**
 * The tools of an agent, in the words of the product. Each answer is an object whose texts from files are values, never part of
 * a sentence: a keyword may say anything. It says for how many keywords a figure is known, what it left out, and where a person
 * sees the same.
 */
export function mapTools({ api, origin, version }: MapTools): McpServer {
  const server = new McpServer({ name: 'keyword-clustering', title: 'Keyword Clustering', version });
  const linkTo = (of: Visualization, more: Readonly<Record<string, string | undefined>> = {}): string => {
    const address = new URL('/visualization', origin);
    for (const [name, value] of Object.entries({ v: of.id, ...more })) {
      if (value !== undefined && value !== '') address.searchParams.set(name, value);
    }
    return address.href;
  };

  const tool: AddTool = (name, { title, says, input, changes = false }, answer, cut) => {
    const annotations = {
      readOnlyHint: !changes,
      destructiveHint: false,
      idempotentHint: !changes,
      openWorldHint: false,
    };
    const config = { title, description: says, inputSchema: z.strictObject(input), annotations };
    server.registerTool(name, config, (async (input: never) => {
      try {
        const structuredContent = fitted(rounded(await answer(input)), cut);
        return { structuredContent, content: [{ type: 'text', text: JSON.stringify(structuredContent) }] };
      } catch (error) {
        if (!(error instanceof ToolRefusal)) throw error;
        return { isError: true, content: [{ type: 'text', text: error.message }] };
      }
    }) as never);
  };

  tool(
    'maps',
    { title: 'Maps', says: 'The maps that you can open: ID, name, size, and which one is active.', input: {} },
    async () => ({
      maps: (await api.maps()).map((one) => ({
        map: one.id,
        name: one.rootName,
        description: one.description || undefined,
        isActive: one.isActive,
        isSample: one.isSample || undefined,
        uploaded: new Date(one.uploadDate).toISOString().slice(0, 10),
        exported: one.exportedOn,
        keywords: one.keywords,
        nodes: one.nodes,
        link: linkTo(one),
      })),
    }),
    { list: 'maps', rest: 'Name a map by its ID in the other tools.' },
  );

  tool(
    'overview',
    {
      title: 'Overview of a branch',
      says: 'Figures of the whole map, a pillar topic, a cluster or a keyword, with its largest children. `known` says for how many of the keywords a figure is known.',
      input: { map, node, filter: conditions, limit: limitOf(rowsAtATime) },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const filter = filterText(input.filter);
      const row = await api.rowOf(shown, input.node);
      const path = `/visualizations/${shown.id}/nodes/${row}`;
      const detail = await api.json<NodeDetail>({ method: 'GET', path, query: { filter } });
      const count = input.limit ?? rowsAtATime;
      const slice =
        detail.children === 0
          ? undefined
          : await api.slice(shown, { node: row, budget: count + 1, by: 'keywords', descending: 1, filter });
      const children = slice ? Array.from({ length: slice.rows - 1 }, (_, at) => figuresOf(slice, at + 1)) : [];
      children.sort((one, other) => other.keywords - one.keywords);
      return {
        map: shown.id,
        ...whatIs(detail),
        figures: {
          keywords: detail.keywords,
          ofKeywords: detail.ofKeywords === detail.keywords ? undefined : detail.ofKeywords,
          volume: measured(detail.volume),
          difficulty: measured(detail.difficulty),
          cpc: measured(detail.cpc),
          position: measured(detail.position),
          intents: detail.intent.known > 0 ? detail.intent : undefined,
        },
        topKeyword: detail.topKeyword && { name: detail.topKeyword.name, volume: detail.topKeyword.volume },
        children,
        moreChildren: Math.max(0, detail.children - children.length) || undefined,
        notInHierarchy: detail.notInHierarchy,
        link: linkTo(shown, { n: detail.children > 0 ? detail.address : undefined, sel: detail.address, f: filter }),
      };
    },
    {
      list: 'children',
      rest: 'Ask `ranking` with `within` for children in another order, or `overview` for one of them.',
    },
  );

  tool(
    'ranking',
    {
      title: 'Ranking',
      says: 'Pillar topics, clusters, subtopics or keywords in order: by figures such as volume, difficulty, cpc, keywords, name, position, or `field:NAME` for a column of the file; by a score; under a filter.',
      input: {
        map,
        level: z.enum(levels),
        within: node,
        filter: conditions,
        sort: z
          .array(z.strictObject({ by: z.string().min(1).max(400), descending: z.boolean() }))
          .max(3)
          .optional()
          .describe('Earlier keys decide first. Unknown values come last. By volume, the largest first, without it.'),
        score: z
          .string()
          .min(1)
          .max(500)
          .optional()
          .describe(
            'A formula to rank by instead, such as `branch.volume / (difficulty + 1)`; `sum.`, `mean.` and `max.` begin formulas over the keywords of a row.',
          ),
        from: z.number().int().min(0).optional().describe('How many rows to skip.'),
        limit: limitOf(rowsAtATime),
      },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const filter = filterText(input.filter);
      const score = input.score === undefined ? undefined : scoreName(input.score);
      const sortKeys = input.sort;
      const sort = writeSort(score ? [{ by: `field:${score}`, descending: true }] : (sortKeys ?? byVolume));
      if (!readSort(sort)) {
        throw new ToolRefusal('A key of `sort` is unknown, or there twice. `columns` lists what the file has.');
      }
      const within = await api.rowOf(shown, input.within);
      const from = input.from ?? 0;
      const fields = [...new Set([score, ...(sortKeys ?? []).map(({ by }) => fieldNameIn(by))])].filter((one) => one);
      const page = await api.rows(shown, {
        ...{ level: input.level, within, sort, filter, from, count: input.limit ?? rowsAtATime },
        field: fields[0],
      });
      const rows = Array.from({ length: page.slice.rows }, (_, at) => ({
        rank: page.from + at + 1,
        ...figuresOf(page.slice, at, score),
        cluster: input.level === 'keywords' ? page.names.get(page.cluster[at]!) : undefined,
        pillar: input.level === 'pillars' ? undefined : page.names.get(page.pillar[at]!),
      }));
      const view = { view: 'table', level: input.level, sort, f: filter, n: input.within };
      return { map: shown.id, total: page.total, keywords: page.keywords, rows, link: linkTo(shown, view) };
    },
    { list: 'rows', rest: 'Ask again with `from` for the next rows.' },
  );

  tool(
    'search',
    {
      title: 'Search',
      says: 'Pillar topics, clusters and keywords whose name matches a text.',
      input: {
        map,
        text,
        match: z.enum(matchModes).optional().describe('How the text is matched; all of its words without it.'),
        filter: conditions,
        limit: limitOf(rowsAtATime),
      },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const filter = filterText(input.filter);
      const query = { q: input.text, match: input.match, filter, limit: input.limit ?? rowsAtATime };
      const path = `/visualizations/${shown.id}`;
      const found = await api.json<SearchAnswer>({ method: 'GET', path: `${path}/search`, query });
      const hits = found.hits.map((hit) => ({
        name: hit.name,
        type: hit.type,
        path: hit.path.slice(1).map(({ name }) => name),
        keywords: hit.keywords,
        volume: hit.volume,
      }));
      const link = linkTo(shown, { q: input.text, match: input.match, f: filter });
      return { map: shown.id, total: found.total, hits, notInHierarchy: found.notInHierarchy || undefined, link };
    },
    {
      list: 'hits',
      rest: 'Search for more words, or ask `ranking` with the text in `filter.contains`, which has node IDs.',
    },
  );

  tool(
    'check_filter',
    {
      title: 'Check a filter',
      says: 'How many keywords and how much volume a filter keeps, and how the explorer writes it.',
      input: { map, filter: conditions },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const filter = filterText(input.filter);
      // Everything else that details say costs ten times as much, such as a trend.
      const [whole, filtered] = [await api.slice(shown, justRoot), await api.slice(shown, { ...justRoot, filter })];
      const volume = filtered.volume[0]!;
      return {
        map: shown.id,
        written: filter,
        keywords: filtered.keywords[0],
        ofKeywords: whole.keywords[0],
        volume: { value: Number.isNaN(volume) ? null : volume, known: filtered.volumeKnown[0] },
        link: linkTo(shown, { f: filter }),
      };
    },
  );

  tool(
    'columns',
    {
      title: 'Columns of the file',
      says: 'The columns that the file of a map has beyond volume, difficulty, CPC and intent: names for `field:NAME` in `ranking`.',
      input: { map },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const path = `/visualizations/${shown.id}/fields`;
      const fields = await api.json<(Field | WithheldField)[]>({ method: 'GET', path });
      return {
        map: shown.id,
        columns: fields.map((field) => ({
          name: field.name,
          kind: field.kind === 'none' ? 'not usable' : field.kind,
          of: field.kind === 'number' ? field.rollUp : undefined,
          values: 'values' in field ? field.values.slice(1, 9) : undefined,
          moreValues: 'values' in field ? Math.max(0, field.values.length - 9) || undefined : undefined,
        })),
      };
    },
    { list: 'columns', rest: 'The explorer lists all columns.' },
  );

  tool(
    'warnings',
    {
      title: 'Warnings',
      says: 'What may be wrong with the hierarchy: a count per kind, or with `kind` the places, those that affect most volume first.',
      input: { map, kind: z.enum(warningKinds).optional(), filter: conditions, limit: limitOf(rowsAtATime) },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const [filter, path] = [filterText(input.filter), `/visualizations/${shown.id}/warnings`];
      const link = linkTo(shown, { panel: 'warnings', f: filter });
      if (input.kind === undefined) {
        const { kinds } = await api.json<WarningSummary>({ method: 'GET', path, query: { filter } });
        return { map: shown.id, kinds, link };
      }
      const query = { filter, count: input.limit ?? rowsAtATime };
      const page = await api.json<WarningPage>({ method: 'GET', path: `${path}/${input.kind}`, query });
      const warnings = page.lines.map((line) => ({
        node: line.address,
        path: line.path,
        keywords: line.keywords,
        volume: line.volume,
        subject: line.subject,
        figures: line.figures,
        urls: line.urls,
        places: line.places && line.places.length + (line.morePlaces ?? 0),
      }));
      return { map: shown.id, total: page.total, warnings, link };
    },
    { list: 'warnings', rest: 'Name a branch with `filter.more` as `within-ID`.' },
  );

  tool(
    'changes',
    {
      title: 'Changes between two uploads',
      says: 'What is new, gone, moved or renamed since an earlier upload, and whose volume, difficulty or position changed: counts, and the nodes with the largest change in volume.',
      input: {
        map,
        since: z.string().max(64).optional().describe('ID of the earlier map; the upload before without it.'),
        level: z.enum(changeLevels).optional(),
        kind: z.enum(changeNames).optional(),
        within: node,
        limit: limitOf(rowsAtATime),
      },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const earlier = input.since ?? (await before(api, shown));
      const within = input.within === undefined ? undefined : await api.rowOf(shown, input.within);
      const path = `/visualizations/${shown.id}/changes`;
      const query = { vs: earlier, level: input.level, kind: input.kind, within };
      const found = await api.json<ChangesPage>({ method: 'GET', path, query });
      const nodes = found.nodes.slice(0, input.limit ?? rowsAtATime).map((one) => ({
        name: one.name,
        node: one.address,
        changes: one.changes,
        path: one.path,
        was: one.from,
        before: one.before,
        after: one.after,
      }));
      const link = linkTo(shown, { vs: earlier, panel: 'changes' });
      return {
        map: shown.id,
        since: earlier,
        isSame: found.isSame,
        counts: found.counts,
        total: found.total,
        nodes,
        link,
      };
    },
    { list: 'nodes', rest: 'Ask for one `kind`, or `within` a branch.' },
  );

  tool(
    'seasonality',
    {
      title: 'Seasonality',
      says: 'Searches of the last twelve months of a branch or keyword, oldest first, and the month in which they peak if there is a clear season.',
      input: { map, node },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const path = `/visualizations/${shown.id}/nodes/${await api.rowOf(shown, input.node)}`;
      const detail = await api.json<NodeDetail>({ method: 'GET', path });
      const { trend } = detail;
      if (!trend) return { map: shown.id, ...whatIs(detail), months: null, why: 'The file has no searches by month.' };
      const numbers = trend.months.map((searches) => searches ?? Number.NaN);
      const peak = peakIn(numbers);
      const index = seasonIndex(numbers);
      return {
        map: shown.id,
        ...whatIs(detail),
        unit: trend.unit === 'searches' ? 'searches' : 'share of the best month',
        months: trend.months.map((searches, at) => ({ month: monthAt(trend.newest, at), searches })),
        known: trend.known,
        ofKeywords: detail.keywords,
        peak: peak < 0 ? null : (monthAt(trend.newest, peak) ?? `month ${peak + 1} of 12`),
        peakToMean: Number.isNaN(index) ? null : Number(index.toFixed(2)),
        link: linkTo(shown, { sel: detail.address }),
      };
    },
  );

  tool(
    'plan',
    {
      title: 'Plan',
      says: 'What is planned, with status, owner, URL and due month, and how much of the volume is covered.',
      input: { map, status: z.enum(planStatuses).optional(), limit: limitOf(rowsAtATime) },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const path = `/visualizations/${shown.id}/plan`;
      const entries = (await planEntries(api, path)).filter(({ isPlanned }) => isPlanned);
      const totals = await api.json<PlanTotals>({ method: 'GET', path: `${path}/totals` });
      const wanted = entries.filter(({ status }) => input.status === undefined || status === input.status);
      const shownEntries = wanted.slice(0, input.limit ?? rowsAtATime).map(entryOf);
      const counts = Object.fromEntries(
        planStatuses.map((status) => [status, entries.filter((one) => one.status === status).length]),
      );
      const link = linkTo(shown, { panel: 'plan', view: 'table', level: 'plan' });
      return {
        map: shown.id,
        counts,
        coverage: coverageOf(totals.whole),
        total: wanted.length,
        entries: shownEntries,
        link,
      };
    },
    { list: 'entries', rest: 'Ask for one `status`, or take the whole plan with `export_link`.' },
  );

  tool(
    'change_plan',
    {
      title: 'Change the plan',
      says: 'Plans branches or keywords, or changes fields of what is planned. Needs a token with the scope `plan`. A person can undo it in the explorer.',
      changes: true,
      input: {
        map,
        nodes: z.array(nodeId).min(1).max(maxRows).describe('IDs of the branches or keywords.'),
        status: z.enum(planStatuses).optional(),
        isPlanned: z.boolean().optional().describe('False takes them out of the plan.'),
        url: z.string().max(limits.maxPlanUrlLength).optional(),
        contentType: z.enum(contentTypes).optional(),
        due: z
          .string()
          .regex(/^\d{4}-\d{2}$/)
          .optional()
          .describe('A month, such as 2027-02.'),
        note: z.string().max(limits.maxPlanNoteLength).optional(),
        primaryKeyword: z.string().max(limits.maxPlanKeywordLength).optional(),
        addTags: z.array(z.string().min(1).max(limits.maxPlanTagLength)).max(limits.maxPlanTags).optional(),
      },
    },
    async ({ map: id, nodes, addTags, ...fields }) => {
      const shown = await api.map(id);
      const path = `/visualizations/${shown.id}/plan`;
      const { revision } = await api.json<PlanPage>({ method: 'GET', path });
      const set = {
        isPlanned: true,
        ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      };
      const body = {
        batch: randomUUID(),
        base: revision,
        targets: [...new Set(nodes)].map((one) => ({ node: one })),
        set,
        ...(addTags && { addTags }),
      };
      const answer = await api.json<PlanAnswer>({ method: 'POST', path: `${path}/changes`, body });
      return {
        map: shown.id,
        entries: answer.entries.map(entryOf),
        conflicts: answer.conflicts,
        link: linkTo(shown, { panel: 'plan' }),
      };
    },
    { list: 'entries', rest: 'All were changed; `plan` lists them.' },
  );

  tool(
    'brief',
    {
      title: 'Brief',
      says: 'What whoever writes the page of a plan entry needs: target, primary and supporting keywords with their figures, questions among them, intents, pages that rank, and pages to link to. Also of a branch or keyword that is not planned. A figure that is missing is unknown.',
      input: {
        map,
        node: nodeId.describe('ID of the branch or keyword, 16 hex digits.'),
        keywords: limitOf(rowsAtATime).describe('At most so many supporting keywords; 20 without it.'),
      },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const path = `/visualizations/${shown.id}/briefs.json`;
      const query = { nodes: input.node, top: input.keywords ?? rowsAtATime };
      const [brief] = await api.json<Brief[]>({ method: 'GET', path, query });
      if (!brief) throw noSuchNode(input.node);
      const view = { sel: brief.node, panel: 'plan' };
      const file = new URL(`/api/visualizations/${shown.id}/briefs.html?nodes=${brief.node}`, origin).href;
      return { map: shown.id, ...briefAnswer(brief), file, link: linkTo(shown, view) };
    },
    {
      list: ['supporting', 'questions', 'linksTo', 'linksFrom', 'ranking', 'results', 'similar'],
      rest: 'Ask `ranking` with `within` for all keywords, or open `file`, which has all of it.',
    },
  );

  tool(
    'similar',
    {
      title: 'Similar clusters',
      says: 'The clusters most similar to a cluster, or to a keyword those of other clusters, nearest first. Only maps that were clustered here know them.',
      input: { map, node: nodeId.describe('ID of the cluster or keyword, 16 hex digits.') },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const path = `/visualizations/${shown.id}/nodes/${await api.rowOf(shown, input.node)}`;
      const detail = await api.json<NodeDetail>({ method: 'GET', path });
      const similar = detail.similar?.map(({ name, address, above }) => ({ name, node: address, in: above }));
      const link = linkTo(shown, { sel: detail.address });
      if (similar) return { map: shown.id, ...whatIs(detail), similar, link };
      return {
        map: shown.id,
        ...whatIs(detail),
        similar: null,
        why: 'The map does not say what is similar to it.',
        link,
      };
    },
    { list: 'similar', rest: 'The explorer lists all of them.' },
  );

  tool(
    'export_link',
    {
      title: 'Link to an export',
      says: 'The address of a file: everything, a branch, the plan, briefs of its entries, or a flat list, as CSV, XLSX, JSON, Markdown or HTML. A person who is signed in opens it; a program sends its token with the request.',
      input: {
        map,
        what: z.enum(['everything', 'plan', 'briefs', ...levels]),
        format: z.enum(['csv', 'xlsx', 'json', 'md', 'html']),
        within: node,
        filter: conditions,
      },
    },
    async (input) => {
      const shown = await api.map(input.map);
      const filter = filterText(input.filter);
      const file = exportPath(input.what, input.format);
      if (!file)
        throw new ToolRefusal(
          'There is no such file. The plan is csv, xlsx or md; briefs are md, html or json; a list csv or xlsx; everything csv or json.',
        );
      const address = new URL(`/api/visualizations/${shown.id}/${file}`, origin);
      if (input.within !== undefined) address.searchParams.set('node', String(await api.rowOf(shown, input.within)));
      if (filter !== '') address.searchParams.set('filter', filter);
      return { map: shown.id, file: address.href };
    },
  );
  importTools({ tool, api, origin });
  return server;
}

/** The name of a score among the columns. @throws ToolRefusal */
function scoreName(formula: string): string {
  const checked = checkText(formula);
  if (checked.ok) return scoreFieldName(writeScore(checked.score));
  throw new ToolRefusal(
    'This is no score. A score is `branch.`, `sum.`, `mean.` or `max.` and a formula of figures, such as `branch.volume / (difficulty + 1)`.',
  );
}

const justRoot = { node: 0, budget: 1 };
const byVolume = [{ by: 'volume', descending: true }];
const limitOf = (usual: number) =>
  z.number().int().min(1).max(maxRows).optional().describe(`At most so many; ${usual} without it.`);
const fieldNameIn = (by: string): string | undefined =>
  by.startsWith('field:') ? by.slice('field:'.length) : undefined;

/** All entries of a plan, which come in pages. */
async function planEntries(api: MapApi, path: string): Promise<PlanEntry[]> {
  const entries = new Map<string, PlanEntry>();
  let since = 0;
  for (;;) {
    const page = await api.json<PlanPage>({ method: 'GET', path, query: { since } });
    for (const entry of page.entries) entries.set(entry.id, entry);
    if (!page.more) return [...entries.values()];
    since = page.revision;
  }
}

/** The upload of the same data before this one. @throws ToolRefusal if there is none */
async function before(api: MapApi, shown: Visualization): Promise<string> {
  const earlier = (await api.maps())
    .filter((one) => one.rootName === shown.rootName && one.uploadDate < shown.uploadDate && !one.isSample)
    .toSorted((one, other) => other.uploadDate - one.uploadDate)[0];
  if (earlier) return earlier.id;
  throw new ToolRefusal('There is no earlier upload of these data. Name one with `since`.');
}
