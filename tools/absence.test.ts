// Shows SEC-34, SEC-37.
import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { filesUnder, readText } from './source-files.ts';

/** A pattern that some files must not contain, why, and a line that must be caught. */
type Ban = {
  readonly what: RegExp;
  readonly why: string;
  readonly planted: string;
  /** A similar line that is allowed. */
  readonly fine?: string;
};

const pureBans: readonly Ban[] = [
  { what: /\bDate\.now\b/, why: 'time comes in as a parameter', planted: 'const now = Date.now();' },
  { what: /\bnew Date\(\s*\)/, why: 'time comes in as a parameter', planted: 'new Date()', fine: 'new Date(time)' },
  { what: /\bMath\.random\b/, why: 'chance comes in as a parameter', planted: 'Math.random()' },
  {
    what: /\bcrypto['"]?\s*[.,;)\]}]/,
    why: 'chance comes in as a parameter',
    planted: 'crypto.randomUUID()',
    fine: 'bitcoin crypto ethereum',
  },
  { what: /\bcrypto['"]?\s*[.,;)\]}]/, why: 'chance comes in as a parameter', planted: "from 'node:crypto';" },
  { what: /\bperformance\.now\b/, why: 'time comes in as a parameter', planted: 'performance.now()' },
];

const pageBans: readonly Ban[] = [
  { what: /\b(inner|outer)HTML\b/, why: 'text goes in as text', planted: 'node.innerHTML = name;' },
  { what: /\binsertAdjacentHTML\b/, why: 'text goes in as text', planted: 'node.insertAdjacentHTML("beforeend", x)' },
  { what: /\bdangerouslySetInnerHTML\b/, why: 'text goes in as text', planted: '<p dangerouslySetInnerHTML={x} />' },
  { what: /\bdocument\.write\b/, why: 'text goes in as text', planted: 'document.write(x)' },
  { what: /\beval\s*\(/, why: 'no code from text', planted: 'eval (x)', fine: 'retrieval(x)' },
  { what: /\bnew Function\b/, why: 'no code from text', planted: 'new Function(x)' },
  {
    what: /<script(?![^>]*\ssrc=)[^>]*>/i,
    why: 'scripts are files',
    planted: '<script>x</script>',
    fine: '<script type="module" src="/src/main.tsx"></script>',
  },
  { what: /<style\b/i, why: 'styles are files', planted: '<style>b{}</style>' },
  {
    what: /<[a-z][^>{]*\s(style|on[a-z]+)="/,
    why: 'the policy refuses inline styles and handlers',
    planted: '<p style="x">',
    fine: '<p style={{ top }}>',
  },
];

const slowBans: readonly Ban[] = [
  { what: /\.normalize\(/, why: 'it sorts marks in quadratic time: normalForm', planted: "name.normalize('NFC')" },
];
/** They normalize single characters. */
const normalizing = ['pack/src/names/normal-form.ts', 'pack/src/names/character-folds.ts'];

/** `file: why` for every ban that a text violates. */
const broken = (bans: readonly Ban[], file: string, text: string): string[] =>
  bans.filter((ban) => ban.what.test(text)).map((ban) => `${file}: ${ban.what.source}: ${ban.why}`);

const isTest = (file: string) => /\.(test|spec|conformance)\.tsx?$/.test(file);
const sourcesOf = (...rooms: string[]) => filesUnder(rooms, /\.(tsx?|html)$/).filter((file) => !isTest(file));
const wholeHouse = filesUnder(
  ['rules', 'pack', 'cluster', 'server', 'web', 'tools', 'bench', 'e2e'],
  // npm writes the lockfiles.
  /(?<!package-lock)\.(tsx?|html|css|js|json|md)$/,
);

test('rules, pack and cluster use neither the clock nor randomness', () => {
  const files = sourcesOf('rules/src', 'pack/src', 'cluster/src');
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((file) => broken(pureBans, file, readText(file)))).toEqual([]);
});

test('the page turns no text into markup or code', () => {
  const files = sourcesOf('web');
  expect(files.length).toBeGreaterThan(2);
  expect(files.flatMap((file) => broken(pageBans, file, readText(file)))).toEqual([]);
});

const serverBans: readonly Ban[] = [
  {
    what: /\bfork\(/,
    why: 'processes start in worker-process.ts, without an inspector',
    planted: 'const child = fork(worker);',
    fine: 'pitchfork()',
  },
];

test('the server starts its processes in one place', () => {
  const files = sourcesOf('server/src').filter((file) => file !== 'server/src/worker-process.ts');
  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap((file) => broken(serverBans, file, readText(file)))).toEqual([]);
});

test('names are normalized in linear time', () => {
  const files = sourcesOf('pack/src', 'cluster/src', 'web/src').filter((file) => !normalizing.includes(file));
  expect(files.flatMap((file) => broken(slowBans, file, readText(file)))).toEqual([]);
});

test.each([...pureBans, ...pageBans, ...serverBans, ...slowBans])('$planted is detected ($why)', (ban) => {
  expect(ban.what.test(ban.planted)).toBe(true);
  if (ban.fine !== undefined) expect(ban.what.test(ban.fine)).toBe(false);
});

/** Packages whose lockfile entry contains a download address, or has no checksum. */
function untrusted(lockfile: string): string[] {
  const { packages } = JSON.parse(lockfile) as {
    packages: Record<string, { resolved?: string; integrity?: string; link?: boolean }>;
  };
  return Object.entries(packages).flatMap(([path, entry]) => {
    if (!path.includes('node_modules/') || entry.link) return [];
    if (entry.resolved !== undefined) return [`${path}: resolved to ${entry.resolved}`];
    return entry.integrity === undefined ? [`${path}: no integrity`] : [];
  });
}

test.each(['package-lock.json', 'bench/peers/package-lock.json'])(
  '%s has a checksum for every package and names no download address',
  (lockfile) => {
    expect(untrusted(readText(lockfile))).toEqual([]);
  },
);

test('a download URL and a missing checksum in a lockfile are detected', () => {
  const planted = { a: { resolved: 'https://registry.example/a.tgz', integrity: 'sha512-x' }, b: {} };
  const packages = { 'node_modules/a': planted.a, 'node_modules/b': planted.b, 'node_modules/@kc/c': { link: true } };
  expect(untrusted(JSON.stringify({ packages }))).toHaveLength(2);
});

const maxLines = 600;
const tooLong = (file: string, text: string) => (text.split('\n').length > maxLines ? [file] : []);

test(`no source file is longer than ${maxLines} lines`, () => {
  expect(wholeHouse.flatMap((file) => tooLong(file, readText(file)))).toEqual([]);
});

const drawers = /(^|\/)(utils?|common|shared|helpers?|lib|misc)(\/|\.[a-z]+$)/;

test('no folder or file is a catch-all', () => {
  expect(wholeHouse.filter((file) => drawers.test(file))).toEqual([]);
});

test('a long file and a catch-all are detected', () => {
  expect(tooLong('planted.ts', '\n'.repeat(maxLines))).toEqual(['planted.ts']);
  for (const planted of ['web/src/utils/x.ts', 'server/src/helpers.ts', 'pack/lib/x.ts']) {
    expect(drawers.test(planted), planted).toBe(true);
  }
  expect(drawers.test('web/src/library/x.ts')).toBe(false);
});

test('the sources contain nothing of the build machine', () => {
  const marks = /\/(work|tmp|home)\/[a-z]/;
  expect(marks.test('/home/somebody'), 'planted').toBe(true);
  const committed = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md'].filter((file) =>
    existsSync(file),
  );
  const files = [...wholeHouse, ...committed].filter((file) => !isTest(file));
  expect(files.filter((file) => marks.test(readText(file)))).toEqual([]);
});
