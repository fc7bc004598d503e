import { describeNode } from '@kc/pack/detail/node-detail';
import { noFilter } from '@kc/pack/filter/filter';
import { readFilter } from '@kc/pack/filter/filter-text';
import { takeHistogram, withoutPart } from '@kc/pack/filter/histogram';
import { openPack } from '@kc/pack/format/pack-reader';
import { createIngest } from '@kc/pack/ingest';
import { filterRows } from '@kc/pack/levels/filter-rows';
import type { SliceQuery } from '@kc/pack/slice/slice';
import { encodeSlice } from '@kc/pack/slice/slice-wire';
import { takeSlice } from '@kc/pack/slice/take-slice';
import { writePack } from '@kc/pack/write/pack-writer';
import type { NodeDetail, Visualization } from '@kc/rules/shapes';
import { usualThresholds } from '@kc/rules/warnings';
import { expect } from 'vitest';
import { page } from 'vitest/browser';
import { arraySink, arraySource } from '../../../pack/test/support/trees.ts';
import type { Handlers, RawCall } from './fake-api.ts';
import { openApp } from './open-app.tsx';

/** Ann's visualization; override what a test is about. */
export const visualization = (change: Partial<Visualization> = {}): Visualization => ({
  id: 'map',
  userId: 'ann',
  userEmail: 'ann@example.com',
  fileName: 'shoes.json',
  storagePath: '',
  downloadUrl: '/api/visualizations/map/original',
  uploadDate: 0,
  uploadedBy: 'ann',
  isActive: true,
  isSample: false,
  fileSize: 1_000,
  description: '',
  keywords: 0,
  nodes: 1,
  rootName: 'shoes',
  ...change,
});

/** A file as people upload it. */
export type Upload = {
  readonly keywords: readonly (string | ({ readonly keyword: string } & Readonly<Record<string, unknown>>))[];
  readonly hierarchy: UploadNode;
};
type UploadNode = { readonly name: string; readonly type?: string; readonly children?: readonly UploadNode[] };

/**
 * What a server answers about an uploaded file. Its figures come from the data engine itself, under any filter on names
 * and figures; nothing is planned, saved or warned about.
 */
export async function mapApi(upload: Upload): Promise<Handlers> {
  const bytes = new TextEncoder().encode(JSON.stringify(upload));
  const ingest = createIngest({ hashKey: [1, 2] });
  ingest.push(bytes);
  const read = ingest.finish();
  if (!read.ok) throw new Error(`Not an upload: ${JSON.stringify(read.problem)}`);
  const sink = arraySink();
  await writePack(read.tree, '00'.repeat(32), sink);
  const pack = await openPack(arraySource(sink.bytes()));
  const original = arraySource(bytes);
  const under = async (filter: string) => (filter ? filterRows(pack, readFilter(filter)!) : pack);
  return {
    'visualizations.list': () => [visualization({ nodes: pack.metadata.nodes })],
    'visualizations.fields': () => [],
    'GET /api/visualizations/{id}/slice': async (call) => {
      const query = queryOf(call);
      return new Response(encodeSlice(await takeSlice(await under(query.filter ?? ''), query)));
    },
    'visualizations.node': async ({ node, filter }) =>
      describeNode(await under(filter ?? ''), Number(node), original) as Promise<NodeDetail>,
    'visualizations.histogram': async ({ of, filter }) => {
      const rest = withoutPart((filter && readFilter(filter)) || noFilter, of);
      return (await takeHistogram(await filterRows(pack, rest), of))!;
    },
    'warnings.summary': () => ({ kinds: [], thresholds: usualThresholds }),
    'plans.read': () => ({ revision: 0, matching: 0, entries: [], more: false, people: [], you: 'ann', lead: 2 }),
    'filterPresets.list': () => [],
    'scores.list': () => [],
    'views.list': () => [],
  };
}

function queryOf({ query }: RawCall): SliceQuery {
  const number = (name: string) => Number(query.get(name) ?? 0);
  return {
    node: number('node'),
    budget: number('budget'),
    skip: number('skip'),
    ...(query.has('child') && { child: number('child') }),
    ...(query.has('filter') && { filter: query.get('filter')! }),
    ...(query.has('rest') && { rest: true }),
    ...(query.has('by') && {
      ranked: {
        by: query.get('by') as NonNullable<SliceQuery['ranked']>['by'],
        descending: query.has('descending'),
        ...(query.has('after') && { after: number('after') }),
      },
    }),
  };
}

/** Opens the explorer of an uploaded file for Ann, drawn. `search` is the part of the address after the path. */
export async function openExplorer(
  upload: Upload,
  { search = '', api = {} }: { readonly search?: string; readonly api?: Handlers } = {},
): Promise<void> {
  await openApp(`/visualization${search}`, { as: 'approved', api: { ...(await mapApi(upload)), ...api } });
  await expect.element(page.getByRole('application')).toBeVisible();
}
