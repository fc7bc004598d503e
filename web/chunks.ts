import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';

type NameOf = Rolldown.CodeSplittingNameFunction;
type Graph = Parameters<NameOf>[1];

const source = (path: string) => fileURLToPath(new URL(`./src/${path}`, import.meta.url));
const routes = source('routes.tsx');
const frame = source('frame/shell.tsx');
const explorer = source('screens/visualization/visualization-screen.tsx');
/** The page of a link shows the explorer, too. */
const linkPage = source('screens/link-page/link-screen.tsx');
const unframed = ['login', 'claim', 'reset-password', 'verify-email'].map((name) =>
  source(`screens/${name}/${name}-screen.tsx`),
);

/**
 * Names the chunks of one build: one for what the frame imports statically, one for what the explorer does. By default, a
 * module shared by lazy parts gets a chunk for each set of parts that share it: many small files, which compress worse than
 * one and each cost a request. A module that a screen without the frame, or without the explorer, may load stays out.
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
  const chunks = [
    { name: 'frame', screen: frame, others: unframed },
    {
      name: 'explore',
      screen: explorer,
      others: screens.filter((screen) => screen !== explorer && screen !== linkPage),
    },
  ];
  return new Map(
    chunks.flatMap(({ name, screen, others }) => ownModules(screen, others, graph).map((id) => [id, name] as const)),
  );
}

/** The modules that a screen imports statically and that none of the others loads at any time. */
function ownModules(screen: string, others: readonly string[], graph: Graph): string[] {
  const elsewhere = reachable(others, graph, ['importedIds', 'dynamicallyImportedIds']);
  // A screen is imported lazily and needs a chunk with its own exports.
  elsewhere.add(screen);
  return [...reachable([screen], graph, ['importedIds']).difference(elsewhere)];
}

type Imports = 'importedIds' | 'dynamicallyImportedIds';

function reachable(entries: readonly string[], graph: Graph, by: readonly Imports[]): Set<string> {
  const seen = new Set(entries);
  for (const id of seen) {
    for (const kind of by) for (const imported of graph.getModuleInfo(id)?.[kind] ?? []) seen.add(imported);
  }
  return seen;
}
