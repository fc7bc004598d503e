import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/open.ts';
import { createMetrics, watchDeployment } from './metrics.ts';

const folder = join(import.meta.dirname, '../../../docs/monitoring');
const rules = await readFile(join(folder, 'alerts.yml'), 'utf8');
const dashboard = JSON.parse(await readFile(join(folder, 'dashboard.json'), 'utf8')) as {
  panels: { title: string; targets: { expr: string; legendFormat: string }[] }[];
};

/** Every metric of a server, with its labels; those of histograms with their endings. */
async function metricsOfServer(): Promise<ReadonlyMap<string, readonly string[]>> {
  const { registry } = createMetrics();
  const db = openDatabase({ host: '127.0.0.1', port: 1 }, () => undefined, 1);
  const free = { data_dir: async () => 1, storage: async () => 1 };
  watchDeployment(registry, { db, free, space: { low: () => [] } });
  await db.destroy();
  const known = new Map<string, readonly string[]>();
  for (const { name } of registry.getMetricsAsArray()) {
    const metric = registry.getSingleMetric(name) as unknown as {
      labelNames: string[];
      type: unknown;
      upperBounds?: [];
    };
    known.set(name, metric.labelNames);
    if (metric.upperBounds === undefined) continue;
    for (const ending of ['_bucket', '_sum', '_count']) known.set(name + ending, metric.labelNames);
  }
  return known;
}

/** Names that look like metrics, and what is asked of their labels. */
function asked(expression: string) {
  return [...expression.matchAll(/\b((?:kc|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.matchAll(/(\w+)\s*(?:=|!)/g)].map(([, label]) => label!),
    }),
  );
}

/** Labels by which an expression groups, and those that a text names. */
const grouped = (expression: string): string[] =>
  [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/,\s*/));
const named = (text: string): string[] =>
  [...text.matchAll(/\{\{\s*(?:\$labels\.)?(\w+)\s*\}\}/g)].map(([, name]) => name!);

/** What Prometheus adds: the buckets of histograms, and which server answered. */
const added = ['le', 'instance'];

const expressions = [...rules.matchAll(/^ +expr: (.*)$/gm)].map(([, expression]) => expression!);
const texts = rules.split(/^ +- alert: /m).slice(1);

// Shows P26.4.
test('REL-63 the sample alerts and the dashboard use metrics and labels that servers have', async () => {
  const known = await metricsOfServer();
  const ofPanels = dashboard.panels.flatMap(({ targets }) => targets);
  const all = [
    ...texts.map((text) => ({ expr: /expr: (.*)/.exec(text)![1]!, text })),
    ...ofPanels.map(({ expr, legendFormat }) => ({ expr, text: legendFormat })),
  ];
  expect(all.length).toBeGreaterThan(20);
  for (const { expr, text } of all) {
    const used = asked(expr);
    expect(used.length, expr).toBeGreaterThan(0);
    const labels = used.flatMap(({ name }) => known.get(name) ?? [`no metric ${name}`]);
    expect(labels.filter((label) => label.startsWith('no metric'))).toEqual([]);
    for (const { name, labels: of } of used)
      expect(known.get(name), `${name} in ${expr}`).toEqual(expect.arrayContaining(of));
    for (const label of [...grouped(expr), ...named(text)])
      expect([...labels, ...added], `${label} of ${expr}`).toContain(label);
  }
});

test('REL-63 every metric of the product is on the dashboard, and each alert has a sentence for whoever is called', async () => {
  const used = new Set(
    dashboard.panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => asked(expr).map(({ name }) => name))),
  );
  const own = [...(await metricsOfServer()).keys()].filter((name) => name.startsWith('kc_'));
  const shown = own.filter((name) => used.has(name) || [...used].some((one) => one.startsWith(`${name}_`)));
  expect(own.filter((name) => !shown.includes(name) && !/_(bucket|sum|count)$/.test(name))).toEqual([]);
  expect(texts).toHaveLength(expressions.length);
  for (const text of texts) expect(text).toMatch(/severity: (page|warn).*summary: ./s);
});
