/** What all server code about visualizations may use. */
const aboutVisualizations = [
  'server/src/log',
  'server/src/config',
  'server/src/http',
  'server/src/jobs',
  'server/src/database',
  'server/src/storage',
  'server/src/accounts/require',
  'rules/src',
  'pack/src',
  'npm:*',
  'node:*',
];

/** The records of visualizations, which all of its parts read. */
const visualizationRecords = [
  'server/src/visualizations/queries',
  'server/src/visualizations/access',
  'server/src/visualizations/responses',
];

const treeData = 'web/src/explore/tree-data';
const explorerModel = 'web/src/explore/model';
const chartLayout = 'web/src/explore/charts/layout';
const chartPaint = 'web/src/explore/charts/paint';

/** What a layout may read: the loaded part of the tree, and the encodings. */
const layoutData = [
  treeData,
  'web/src/explore/model/encodings',
  'web/src/explore/model/weights',
  'web/src/explore/model/camera',
  'web/src/explore/model/search-results',
  'pack/src/slice/slice',
  'npm:d3-array',
];

/** The entries for one chart. Its layout, with the files named in `geometry`, may not import its painting. */
function chart(name: string, ...geometry: readonly string[]): Record<string, readonly string[]> {
  const folder = `web/src/explore/charts/${name}`;
  const pure = ['layout', ...geometry].map((file) => `${folder}/${file}`);
  return {
    [folder]: [
      ...layoutData,
      explorerModel,
      chartLayout,
      chartPaint,
      'web/src/explore/charts/chart',
      'web/src/ui/number-text',
    ],
    ...Object.fromEntries(pure.map((file) => [file, [...layoutData, chartLayout, ...pure]])),
  };
}

/**
 * Who may import whom, as data. A place is a folder or a file without its ending; the longest place that contains a
 * file applies. A place may import itself and what is listed, nothing else. `npm:name` is a package, `npm:*` any
 * package, `node:*` any builtin. Test files are exempt.
 *
 * `ARCHITECTURE.md` gives the reasons.
 */
export const importMap: Readonly<Record<string, readonly string[]>> = {
  'rules/src': ['npm:zod', 'npm:@orpc/contract'],

  'pack/src': [],
  'pack/src/json': [],
  'pack/src/names': [],
  'pack/src/upload': ['pack/src/json', 'pack/src/names'],
  'pack/src/tree': ['pack/src/upload', 'pack/src/names'],
  'pack/src/format': ['pack/src/tree/tree', 'pack/src/upload', 'pack/src/names'],
  'pack/src/format/arrow': ['pack/src/format', 'npm:apache-arrow'],
  'pack/src/find': ['pack/src/format', 'pack/src/names', 'pack/src/json/web-assembly', 'npm:re2js'],
  'pack/src/filter': ['pack/src/find', 'pack/src/format', 'pack/src/tree', 'pack/src/upload', 'pack/src/names'],
  'pack/src/search': ['pack/src/filter', 'pack/src/find', 'pack/src/format'],
  'pack/src/slice': ['pack/src/filter', 'pack/src/format', 'pack/src/upload'],
  'pack/src/detail': [
    'pack/src/slice',
    'pack/src/filter',
    'pack/src/find',
    'pack/src/format',
    'pack/src/tree',
    'pack/src/upload',
    'pack/src/names',
  ],
  'pack/src/write': ['pack/src/slice', 'pack/src/format', 'pack/src/tree', 'pack/src/upload', 'pack/src/names'],
  'pack/test/support/tables': ['pack/src', 'npm:fast-check'],
  'pack/test/support/filters': ['pack/src', 'npm:fast-check'],
  'pack/test/support/filter-trees': ['pack/src', 'npm:fast-check'],

  'cluster/src': [],
  'cluster/src/communities': [],
  'cluster/src/words': ['npm:@orama/stemmers', 'npm:@orama/stopwords', 'npm:wink-porter2-stemmer'],
  'cluster/src/encoder': [],
  'cluster/src/features': ['cluster/src/communities/random', 'cluster/src/words', 'npm:ml-matrix'],
  'cluster/src/neighbours': ['cluster/src/communities', 'cluster/src/features/vectors'],
  'cluster/src/hierarchy': ['cluster/src/communities', 'cluster/src/features/vectors', 'cluster/src/neighbours'],
  'cluster/src/shared-urls': ['cluster/src/communities'],
  'cluster/src/labels': [
    'cluster/src/communities',
    'cluster/src/features/vectors',
    'cluster/src/hierarchy/linkage',
    'cluster/src/words',
  ],
  'cluster/src/pipeline': [
    'cluster/src/communities',
    'cluster/src/words',
    'cluster/src/encoder/encoder',
    'cluster/src/features',
    'cluster/src/neighbours',
    'cluster/src/hierarchy',
    'cluster/src/shared-urls',
    'cluster/src/labels',
  ],
  'cluster/src/write': ['cluster/src/pipeline'],
  'cluster/src/lists': [
    'cluster/src/read',
    'cluster/src/merge',
    'cluster/src/pipeline',
    'cluster/src/shared-urls/groups',
    'cluster/src/write',
    'pack/src/format/byte-source',
  ],

  'server/src': ['rules/src', 'pack/src', 'npm:*', 'node:*'],
  'server/src/commands/cluster': [
    'server/src/clustering',
    'server/src/commands',
    'cluster/src/lists',
    'cluster/src/pipeline/cluster',
    'rules/src',
    'node:*',
  ],
  'server/src/commands/cluster-options': [
    'cluster/src/hierarchy/settings',
    'cluster/src/lists',
    'cluster/src/read/reading',
    'cluster/src/shared-urls/groups',
    'node:*',
  ],
  'server/src/commands/list-texts': ['cluster/src/lists', 'cluster/src/read/reading', 'rules/src'],
  'server/src/clustering': ['cluster/src', 'npm:onnxruntime-node', 'npm:usearch', 'npm:eld', 'node:*'],
  'server/src/config': [
    'server/src/variables',
    'server/src/log',
    'server/src/accounts/password-strength',
    'rules/src',
    'node:*',
  ],
  'server/src/variables': [],
  'server/src/log': ['npm:pino', 'node:*'],
  'server/src/database': ['server/src/log', 'rules/src', 'npm:*', 'node:*'],
  'server/test/support/cluster': ['server/src/database', 'server/src/jobs/jobs', 'server/src/log', 'npm:*', 'node:*'],
  'server/src/storage': ['server/src/log', 'pack/src/format/byte-source', 'npm:*', 'node:*'],
  'server/src/jobs': ['server/src/log', 'server/src/database', 'npm:*', 'node:*'],
  'server/src/http': [
    'server/src/log',
    'server/src/config',
    'server/src/database/open',
    'pack/src/json/json-memory',
    'pack/src/json/json-plan',
    'pack/src/json/json-tokens',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/backup': ['server/src/log', 'server/src/database', 'server/src/storage', 'npm:*', 'node:*'],
  'server/src/mail': ['server/src/log', 'server/src/config', 'rules/src', 'npm:*', 'node:*'],
  'server/src/accounts': [
    'server/src/log',
    'server/src/config',
    'server/src/mail',
    'server/src/http',
    'server/src/jobs',
    'server/src/database',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/avatars': [
    'server/src/log',
    'server/src/config',
    'server/src/http',
    'server/src/jobs',
    'server/src/database',
    'server/src/accounts/require',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/account-machine': [
    'server/src/log',
    'server/src/mail',
    'server/src/accounts',
    'server/test/support/server',
    'server/test/support/proof',
    'rules/src',
    'npm:*',
    'node:*',
  ],
  'server/src/visualizations': aboutVisualizations,
  'server/src/visualizations/upload': [...visualizationRecords, ...aboutVisualizations],
  'server/src/visualizations/ingest': [
    ...visualizationRecords,
    'server/src/visualizations/upload',
    ...aboutVisualizations,
  ],
  'server/src/visualizations/query': [...visualizationRecords, ...aboutVisualizations],
  'server/src/visualizations/export': [
    ...visualizationRecords,
    'server/src/visualizations/query',
    ...aboutVisualizations,
  ],
  'server/src/visualizations/cleanup': [
    ...visualizationRecords,
    'server/src/visualizations/upload',
    ...aboutVisualizations,
  ],

  'cluster/src/read': ['pack/src/upload', 'npm:csv-parse'],
  'cluster/src/read/xlsx': ['cluster/src/read', 'pack/src/format/byte-source', 'npm:fflate', 'npm:saxes'],
  'cluster/src/merge': ['cluster/src/read', 'pack/src/names', 'pack/src/tree', 'pack/src/upload'],

  'web/src': ['rules/src', 'npm:*'],
  'web/src/ui': ['npm:*'],
  'web/src/api': [
    'rules/src',
    'pack/src/slice/slice',
    'pack/src/slice/slice-wire',
    'pack/src/upload/upload-outline',
    'npm:*',
  ],
  'web/src/session': ['rules/src', 'web/src/api', 'npm:*'],
  'web/src/frame': ['rules/src', 'web/src/ui', 'web/src/api', 'web/src/session', 'npm:*'],
  'web/src/screens': ['rules/src', 'web/src/ui', 'web/src/api', 'web/src/session', 'web/src/trusted-worker', 'npm:*'],
  'web/src/screens/edit-description': ['rules/src', 'web/src/ui', 'web/src/api', 'npm:*'],
  'web/src/screens/admin': [
    'rules/src',
    'pack/src/upload/upload-reader',
    'pack/src/upload/json-loop-simd',
    'pack/dist/json-loop',
    'pack/src/upload/upload-outline',
    'web/src/screens/thumbnail',
    'web/src/screens/edit-description',
    'web/src/ui',
    'web/src/api',
    'web/src/session',
    'web/src/trusted-worker',
    'npm:*',
  ],
  'web/src/screens/thumbnail': ['web/src/explore/charts/treemap/squarify', 'npm:*'],
  'web/src/screens/visualization': [
    'rules/src',
    'web/src/screens/thumbnail',
    'web/src/screens/edit-description',
    'web/src/ui',
    'web/src/api',
    'web/src/session',
    'web/src/explore',
    'npm:*',
  ],
  'web/src/explore': [
    'rules/src',
    'pack/src/slice/slice',
    'pack/src/slice/child-ranking',
    'pack/src/filter/filter',
    'pack/src/filter/filter-text',
    'pack/src/find/text-query',
    'pack/src/names/search-fold',
    'web/src/ui',
    'npm:*',
  ],
  'web/src/explore/tree-data': [
    'rules/src/limits',
    'rules/src/shapes',
    'pack/src/slice/slice',
    'pack/src/slice/slice-wire',
  ],
  'web/src/explore/format': [treeData, 'pack/src/slice/slice', 'web/src/ui/number-text'],
  'web/src/explore/model': [
    treeData,
    'web/src/explore/format',
    'rules/src',
    'pack/src/slice/slice',
    'pack/src/slice/child-ranking',
    'pack/src/filter/filter',
    'pack/src/filter/filter-text',
    'pack/src/find/text-query',
    'web/src/ui/lazily',
    'npm:zustand',
  ],
  // Layouts know no DOM and no painting; painting computes no layout.
  'web/src/explore/charts/layout': layoutData,
  'web/src/explore/charts/paint': [...layoutData, chartLayout, 'web/src/ui/lazily', 'web/src/ui/number-text'],
  ...chart('treemap', 'chrome', 'squarify', 'arrangement', 'paged-boxes', 'box-marks', 'readable-boxes'),
  ...chart('bubbles', 'pack-circles', 'circle-around', 'place-circles', 'paged-circles'),
  ...chart('sunburst'),
  ...chart('icicle'),
  ...chart('tree', 'automatic-branches', 'readable-branches', 'branch-plan'),
  ...chart('opportunity', 'axis', 'ties'),
  'web/src/explore/charts': [treeData, explorerModel],
  'web/src/explore/charts/camera': [treeData, explorerModel, chartLayout, 'npm:d3-interpolate'],
  'web/src/explore/charts/canvas': [
    treeData,
    explorerModel,
    'web/src/explore/format',
    chartLayout,
    chartPaint,
    'web/src/explore/charts/chart',
    'web/src/explore/charts/camera',
    'web/src/ui',
  ],
  'web/src/explore/charts/pointer': [
    treeData,
    explorerModel,
    chartLayout,
    'web/src/explore/charts/camera',
    'web/src/explore/charts/canvas',
    'web/src/ui',
  ],
  'web/src/explore/panels': [
    treeData,
    explorerModel,
    'web/src/explore/format',
    'web/src/explore/charts',
    'rules/src',
    'pack/src/slice/slice',
    'pack/src/filter/filter',
    'pack/src/filter/filter-text',
    'pack/src/find/text-query',
    'pack/src/find/name-pattern',
    'pack/src/names/search-fold',
    'web/src/ui',
    'npm:*',
  ],
};

/** Imports that violate the map and are tolerated for now, each with its reason. The list may only get shorter. */
export const exceptions: readonly { readonly from: string; readonly to: string; readonly why: string }[] = [];
