import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

type NameOf = Rolldown.CodeSplittingNameFunction;
type Graph = Parameters<NameOf>[1];

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const main = source('main.tsx');
const routes = source('routes.tsx');
const frame = source('frame/shell.tsx');
const explorer = source('screens/visualization/visualization-screen.tsx');
/** The page of a link shows the explorer, too. */
const linkPage = source('screens/link-page/link-screen.tsx');
const unframed = ['login', 'claim', 'reset-password', 'verify-email'].map((name) =>
  source(`screens/${name}/${name}-screen.tsx`),
);

/**
 * Names the chunks of one build: one for what the frame imports statically, one for what the explorer does, and two for small
 * modules that several lazy parts share, such as icons: `forms` if a screen without the frame needs them, otherwise `parts`. By
 * default, modules get a chunk for each set of lazy parts that share them: many small files, which compress worse than one and each
 * cost a request.
 */
export function startChunks(): NameOf {
  let chunks: ReadonlyMap<string, string> | undefined;
  return (id, graph) => {
    chunks ??= assignChunks(graph);
    return chunks.get(id);
  };
}

/** @throws Error if a file named here was moved, which would otherwise only show as slower pages */
function assignChunks(graph: Graph): ReadonlyMap<string, string> {
  const screens = graph.getModuleInfo(routes)?.dynamicallyImportedIds ?? [];
  const lost = [frame, explorer, linkPage, ...unframed].filter((screen) => !screens.includes(screen));
  if (lost.length > 0) throw new Error(`${routes} does not import ${lost.join(', ')}`);
  const owned = [
    { name: 'frame', screen: frame, others: unframed },
    {
      name: 'explore',
      screen: explorer,
      others: screens.filter((screen) => screen !== explorer && screen !== linkPage),
    },
  ];
  return new Map([
    ...owned.flatMap(({ name, screen, others }) => ownModules(screen, others, graph).map((id) => [id, name] as const)),
    ...sharedModules(screens, graph),
  ]);
}

/** The modules that a screen imports statically and that none of the others loads at any time. */
function ownModules(screen: string, others: readonly string[], graph: Graph): string[] {
  const elsewhere = reachable(others, graph, allImports);
  // A screen is imported lazily and needs a chunk with its own exports.
  elsewhere.add(screen);
  return [...reachable([screen], graph, staticImports).difference(elsewhere)];
}

/** Characters of source, with comments; about 4 KB when minified. */
const maxSmall = 12_000;

/**
 * The chunks of the small modules that several lazy parts share. All that they import loads before or with them, so that no chunk
 * needs itself.
 */
function sharedModules(screens: readonly string[], graph: Graph): ReadonlyMap<string, 'forms' | 'parts'> {
  const initial = reachable([main], graph, staticImports);
  const unframedModules = reachable(unframed, graph, allImports);
  const lazyParts = new Set(
    [...reachable(screens, graph, allImports)].flatMap((id) => graph.getModuleInfo(id)?.dynamicallyImportedIds ?? []),
  ).union(new Set(screens));
  const partsOf = new Map<string, string[]>();
  for (const part of lazyParts) {
    for (const id of reachable([part], graph, staticImports).difference(initial))
      partsOf.set(id, [...(partsOf.get(id) ?? []), part]);
  }
  const loadedTogether = Map.groupBy(partsOf.keys(), (id) => partsOf.get(id)!.join('\n'));
  let candidates = [...loadedTogether.values()].filter((modules) => {
    const size = modules.reduce((sum, id) => sum + (graph.getModuleInfo(id)?.code?.length ?? 0), 0);
    return partsOf.get(modules[0]!)!.length > 1 && size <= maxSmall && !modules.some((id) => lazyParts.has(id));
  });
  const chunks = new Map<string, 'forms' | 'parts'>();
  for (let before = 0; candidates.length !== before; ) {
    before = candidates.length;
    candidates = candidates.filter((modules) => {
      const isForm = partsOf.get(modules[0]!)!.some((part) => unframedModules.has(part));
      const loadsBefore = (id: string) => initial.has(id) || chunks.get(id) === 'forms' || (!isForm && chunks.has(id));
      const imported = modules.flatMap((id) => graph.getModuleInfo(id)?.importedIds ?? []);
      if (!imported.every((id) => modules.includes(id) || loadsBefore(id))) return true;
      for (const id of modules) chunks.set(id, isForm ? 'forms' : 'parts');
      return false;
    });
  }
  return chunks;
}

type Imports = 'importedIds' | 'dynamicallyImportedIds';
const staticImports: readonly Imports[] = ['importedIds'];
const allImports: readonly Imports[] = ['importedIds', 'dynamicallyImportedIds'];

function reachable(entries: Iterable<string>, graph: Graph, by: readonly Imports[]): Set<string> {
  const seen = new Set(entries);
  for (const id of seen) {
    for (const kind of by) for (const imported of graph.getModuleInfo(id)?.[kind] ?? []) seen.add(imported);
  }
  return seen;
}
