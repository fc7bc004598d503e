/** Input of the sample generator: what people search for about one subject. */
export type Cluster = {
  readonly name: string;
  /** Selects the templates used in addition to `phrases`. `abroad`, searches in other languages, has none. */
  readonly kind: 'product' | 'plant' | 'task' | 'abroad';
  /** Names of the subject, the most searched first. They replace `~` in phrases and templates. Empty for `abroad`. */
  readonly heads: readonly string[];
  /** The cluster's own phrases, with `~` for a name; complete if `heads` is empty. */
  readonly phrases: readonly string[];
  /** The month with the most searches, 1 to 12. */
  readonly peak: number;
};
export type Subtopic = { readonly name: string; readonly clusters: Cluster[] };
/** `demand` multiplies search volume; `rivalry`, in points from 0 to 100, is added to keyword difficulty. */
export type Pillar = {
  readonly name: string;
  readonly demand: number;
  readonly rivalry: number;
  readonly subtopics: Subtopic[];
};

/** A node of the `hierarchy` of the generated upload. */
export type SampleTree = { readonly name: string; readonly type: string; readonly children?: readonly SampleTree[] };

/**
 * Parses topics, one per line: `# pillar | demand rivalry`, `## subtopic`, `kind peak name | heads | phrases`
 * (comma-separated lists). Empty lines are skipped.
 *
 * @throws Error naming the first invalid line
 */
export function parseTopics(text: string): Pillar[] {
  const pillars: Pillar[] = [];
  for (const line of text.split('\n').filter((entry) => entry.trim())) {
    if (line.startsWith('# ')) pillars.push(parsePillar(line));
    else if (line.startsWith('## ')) lastOf(pillars, line).subtopics.push({ name: line.slice(3), clusters: [] });
    else lastOf(lastOf(pillars, line).subtopics, line).clusters.push(parseCluster(line));
  }
  return pillars;
}

function lastOf<Item>(items: readonly Item[], line: string): Item {
  const last = items.at(-1);
  if (!last) throw new Error(`Below no topic: ${line}`);
  return last;
}

function parsePillar(line: string): Pillar {
  const [, name, demand, rivalry] = /^# ([^|]+) \| ([\d.]+) ([+-]\d+)$/.exec(line) ?? [];
  if (!name) throw new Error(`Not a pillar: ${line}`);
  return { name, demand: Number(demand), rivalry: Number(rivalry), subtopics: [] };
}

function parseCluster(line: string): Cluster {
  const parts = /^(product|plant|task|abroad) (\d+) ([^|]+)\|([^|]*)\|([^|]+)$/.exec(line);
  if (!parts) throw new Error(`Not a cluster: ${line}`);
  const [, kind, peak, name, heads, phrases] = parts as unknown as [
    string,
    Cluster['kind'],
    string,
    string,
    string,
    string,
  ];
  return { name: name.trim(), kind, heads: list(heads), phrases: list(phrases), peak: Number(peak) };
}

const list = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);
