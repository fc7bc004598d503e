import type { SharedPage } from '@kc/rules/link-shapes';
import type { Handlers, RawCall } from './fake-api.ts';
import { isOpen } from './in-explorer.ts';
import { mapsApi, type Upload } from './maps-api.ts';
import { openApp } from './open-app.tsx';

type Calls = Readonly<Record<string, ((input: { readonly id: string }) => unknown) | undefined>>;

/** The reading calls of links, and the calls that have the same handlers. */
const sameCalls: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['fields', 'node', 'keywords', 'members', 'notInHierarchy', 'locate', 'histogram', 'search'].map((name) => [
      `shared.${name}`,
      `visualizations.${name}`,
    ]),
  ),
  'shared.plan': 'plans.read',
  'shared.planTotals': 'plans.totals',
  'shared.planPeople': 'plans.people',
  'shared.changePlan': 'plans.change',
  'shared.warnings': 'warnings.summary',
  'shared.warningMarks': 'warnings.marks',
  'shared.warningsOfNode': 'warnings.ofNode',
};

/** What Ann has planned, before a link is opened. */
type Planned = { readonly node: string; readonly set: object };

/** Opens the page of a link to an uploaded file, drawn. The plan is Ann's, as if she had the link herself. */
export async function openLink(
  upload: Upload,
  given: {
    readonly page?: Partial<SharedPage>;
    readonly planned?: readonly Planned[];
    readonly search?: string;
    readonly api?: Handlers;
  } = {},
): Promise<void> {
  const maps = (await mapsApi({ upload })) as unknown as Calls;
  for (const { node, set } of given.planned ?? []) {
    const change = { id: 'map', batch: `planned-${node}`, base: 0, targets: [{ node }], set };
    await maps['plans.change']!(change);
  }
  const page: SharedPage = {
    id: 'link-1',
    kind: 'colleague',
    sharedWith: 'ann@example.com',
    maker: 'Olga',
    until: Date.UTC(2027, 2, 12, 12),
    withPlan: true,
    mayEditPlan: true,
    withDownloads: false,
    rootName: upload.hierarchy.name,
    keywords: 1,
    nodes: 1_000,
    uploadDate: 0,
    ...given.page,
  };
  const calls = Object.fromEntries(
    Object.entries(sameCalls).map(([name, same]) => [
      name,
      (input: { readonly id: string }) => maps[same]!({ ...input, id: 'map' }),
    ]),
  );
  const raw = Object.fromEntries(
    ['GET slice', 'GET rows', 'POST selection-totals'].map((name) => {
      const [method, path] = name.split(' ');
      const same = maps[`${method} /api/visualizations/{id}/${path}`] as unknown as (call: RawCall) => Response;
      const answer = (call: RawCall) => same({ ...call, parameters: { ...call.parameters, id: 'map' } });
      return [`${method} /api/shared/{id}/${path}`, answer];
    }),
  );
  const api = { 'sharing.page': () => page, ...calls, ...raw, ...given.api } as Handlers;
  await openApp(`/shared?v=link-1${given.search ?? ''}`, { as: 'approved', api });
  await isOpen();
}
