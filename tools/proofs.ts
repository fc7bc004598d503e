/** The long version of a test that the test run only samples, started by `tools/prove.ts`. */
export type Proof = {
  /** A part of the paths of the test files: the filter that Vitest gets. */
  readonly files: string;
  /**
   * How many cases to try unless the command says otherwise. For `hostile`, `hostile-lists`, `hostile-workbooks`,
   * `upload` and `memory-cap`, the size of the files in MiB.
   */
  readonly runs: number;
  /** The Vitest project. Default: `server`. */
  readonly project?: 'unit' | 'e2e';
};

/** By topic. The comment in `tools/prove.ts` says what each one proves. */
export const proofs: Readonly<Record<string, Proof>> = {
  answers: { files: 'server/test/system/answers', runs: 1 },
  'odd-texts': { files: 'server/test/system/odd-texts', runs: 1 },
  injection: { files: 'server/test/system/injection', runs: 1 },
  'sorted-marks': { files: 'server/src/visualizations/query/sort-by-marks', runs: 1 },
  access: { files: 'server/test/system/access-', runs: 1 },
  columns: { files: 'server/src/links/link-columns', runs: 1 },
  'cross-site': { files: 'server/test/system/cross-site-matrix', runs: 1 },
  migrations: { files: 'server/src/database/migrate', runs: 50 },
  accounts: { files: 'server/test/account-model/account-machine', runs: 50_000 },
  races: { files: 'server/src/accounts/races', runs: 200 },
  'one-second': { files: 'server/src/accounts/two-servers', runs: 200 },
  replicas: { files: 'server/test/concurrency/replicas', runs: 10_000 },
  'plan-writes': { files: 'server/src/plans/concurrent-writes', runs: 300 },
  hostile: { files: 'pack/test/hostile', runs: 3072, project: 'unit' },
  'hostile-workbooks': { files: 'cluster/test/hostile-workbooks', runs: 2047, project: 'unit' },
  'hostile-lists': { files: 'cluster/test/hostile-lists', runs: 3072, project: 'unit' },
  figures: { files: 'pack/test/figures-of-files', runs: 1, project: 'unit' },
  differential: { files: 'pack/test/differential', runs: 1_000_000, project: 'unit' },
  'real-lists': { files: 'cluster/test/real-lists', runs: 1, project: 'unit' },
  'ten-lists': { files: 'server/test/system/ten-lists', runs: 1 },
  'year-of-lists': { files: 'server/test/system/year-of-lists', runs: 12 },
  lists: { files: 'cluster/test/csv', runs: 10_000, project: 'unit' },
  properties: { files: 'pack/src/', runs: 10, project: 'unit' },
  filter: { files: 'pack/src/sums/filter-oracle', runs: 20_000, project: 'unit' },
  changes: { files: 'pack/src/compare/changes', runs: 2_000, project: 'unit' },
  matches: { files: 'pack/src/compare/match-packs', runs: 2_000, project: 'unit' },
  damage: { files: 'pack/src/write/pack.test', runs: 1, project: 'unit' },
  pictures: { files: 'web/src/explore/same-address', runs: 2_000, project: 'unit' },
  crash: { files: 'server/test/system/crash', runs: 4 },
  kills: { files: 'server/test/system/data-lock', runs: 200 },
  questions: { files: 'server/test/system/fifty-questions', runs: 1_000_000 },
  fuzz: { files: 'server/test/system/fuzz', runs: 50_000 },
  fairness: { files: 'server/src/visualizations/query/longest-steps', runs: 1_000_000 },
  'memory-cap': { files: 'server/test/system/memory-cap', runs: 3072 },
  'store-faults': { files: 'server/test/system/s3', runs: 1 },
  'disk-faults': { files: 'server/test/system/disk-faults', runs: 1 },
  axe: { files: 'e2e/every-screen', runs: 1, project: 'e2e' },
  engines: { files: 'e2e/engines', runs: 1, project: 'e2e' },
  upload: { files: 'server/test/system/flaky-upload', runs: 3072 },
};
