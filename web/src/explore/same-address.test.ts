import { noFilter } from '@kc/pack/filter/filter';
import { readFilter, writeFilter } from '@kc/pack/filter/filter-text';
import { locate } from '@kc/pack/format/locate';
import type { PackReader } from '@kc/pack/format/pack-reader';
import { filterPack } from '@kc/pack/levels/filter-pack';
import { scoreRollUps } from '@kc/pack/score/score';
import { requestableFields } from '@kc/pack/slice/slice-fields';
import { takeSlice } from '@kc/pack/slice/take-slice';
import type { FilteredPack } from '@kc/pack/sums/filtered-pack';
import { entries, filter, packOf, root } from '@kc/pack/test/support/filter-trees';
import type { Field } from '@kc/rules/shapes';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { unaskedSource } from '../../test/support/source.ts';
import { ShownMarks } from './charts/canvas/shown-marks.ts';
import { type ChartView, loadChart } from './charts/charts.ts';
import { type Layout, type LayoutOptions, type Marks, markKind } from './charts/layout/layout.ts';
import { colourScale } from './charts/paint/colour-scale.ts';
import type { Chart } from './charts/paint/painter.ts';
import { scoreUses } from './model/encodings.ts';
import { createExplorer, type Explorer } from './model/explorer.ts';
import { layoutDepthOf } from './model/explorer-state.ts';
import { listedChildren, type TableSort } from './model/row-order.ts';
import { applyScore, removeScore, scoreKeyOf } from './model/score.ts';
import type { ExplorerSource } from './model/source.ts';
import { type Depth, depths } from './model/url-state.ts';
import { outlineRows } from './panels/outline/outline-rows.ts';
import { isFieldKey } from './tree-data/figures.ts';

// A small part of `npm run prove -- pictures`.
const { PROVE_RUNS } = process.env;
const runs = Number(PROVE_RUNS ?? 25);

const drawnViews: readonly ChartView[] = ['treemap', 'bubbles', 'sunburst', 'icicle', 'tree'];
const view = { width: 900, height: 600 };
const phone = { width: 390, height: 500 };
const home = { x: 0, y: 0, k: 1 };
const near = { x: 200, y: 150, k: 3 };
/** So few that a tree needs several slices. */
const rowsAtOnce = 7;

/** With timers of its own: those that limit the time of the test stay real. */
async function withFakeTimers(work: () => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await work();
  } finally {
    vi.useRealTimers();
  }
}

/** Lets time pass until a change is made. One that never is would be a defect. */
async function made(change: Promise<unknown>): Promise<void> {
  let isMade = false;
  const note = (): void => {
    isMade = true;
  };
  change.then(note, note);
  for (let turn = 0; !isMade; turn++) {
    expect(turn).toBeLessThan(1_000);
    await vi.advanceTimersByTimeAsync(100);
  }
  await change;
}

/** A server for one pack. While `fails` is set, no slice arrives. */
type Server = { readonly source: ExplorerSource; readonly nodes: number; fails: boolean };

function serve(pack: PackReader): Server {
  const filtered = new Map<string, Promise<FilteredPack>>();
  const under = (text: string): Promise<FilteredPack> => {
    const known = filtered.get(text) ?? filterPack(pack, readFilter(text)!);
    filtered.set(text, known);
    return known;
  };
  const server: Server = {
    nodes: pack.metadata.nodes,
    fails: false,
    source: {
      ...unaskedSource,
      async slice(query) {
        if (server.fails) throw new Error('Offline');
        const of = query.filter ? await under(query.filter) : pack;
        // A path loads with all siblings before it: a branch requests what is missing after its loaded children.
        const { child, ...plain } = query;
        return takeSlice(of, {
          ...plain,
          budget: child === undefined ? Math.min(plain.budget, rowsAtOnce) : plain.budget,
        });
      },
      fields: async () => requestableFields(pack.metadata) as unknown as readonly Field[],
      async locate(address, text) {
        const path = [...((await locate(pack, address)) ?? [])];
        const kept = text === '' ? undefined : await under(text);
        return { path: kept ? path.filter((row) => row === 0 || kept.keeps(row)) : path };
      },
    },
  };
  return server;
}

function barAt(search: string) {
  const entriesOfBar = [search];
  let at = 0;
  let heard = () => undefined as unknown;
  return {
    read: () => entriesOfBar[at]!,
    write(next: string, how: 'push' | 'replace') {
      if (how === 'push') entriesOfBar.splice(++at);
      entriesOfBar[at] = next;
    },
    listen(onChange: () => void) {
      heard = onChange;
      return () => undefined;
    },
    back() {
      if (at === 0) return;
      at--;
      heard();
    },
  };
}

type Canvas = { readonly view: ChartView; readonly picture: Chart; readonly layout: Layout };

/** A layout for each view. They persist, as on a page. */
const canvases = (): Promise<Canvas[]> =>
  Promise.all(
    drawnViews.map(async (name) => {
      const picture = await loadChart(name);
      return { view: name, picture, layout: picture.createLayout() };
    }),
  );

async function open(server: Server, search: string, sort?: TableSort) {
  const addressBar = barAt(search);
  const explorer = createExplorer({
    visualization: { id: 'a', fileName: 'shop.json', nodes: server.nodes },
    linkId: 'a',
    isDefault: () => true,
    source: server.source,
    addressBar,
    room: { isSmall: false, panelsOpen: true },
    explain: String,
  });
  explorer.sortTable(sort);
  await explorer.start();
  return { explorer, bar: addressBar };
}

const optionsOf = ({ store }: Explorer, camera: LayoutOptions['camera'], size = view): LayoutOptions => {
  const state = store.getState();
  const { focus, size: sizeBy, opened, closed, unfolded } = state;
  return {
    focus,
    ...size,
    camera,
    sizeBy,
    ...layoutDepthOf(state),
    minPx: 3,
    budget: 2000,
    opened,
    closed,
    unfolded,
  };
};

/** Lays out a chart; whatever is loaded so far, no mark may be in another node than its parent. */
function draw(explorer: Explorer, { layout }: Canvas, camera = home, effort?: number, size = view): Marks {
  const { tree } = explorer;
  const marks = layout(tree, { ...optionsOf(explorer, camera, size), ...(effort !== undefined && { effort }) });
  for (let i = 1; i < marks.count; i++) {
    const [row, around] = [marks.row[i]!, marks.row[marks.parent[i]!]!];
    expect(marks.kind[i] === markKind.tail ? row : tree.parent[row]).toBe(around);
  }
  return marks;
}

/** Lays out until everything has loaded. */
async function settle(explorer: Explorer, shown: readonly Canvas[]): Promise<void> {
  const { tree } = explorer;
  for (let [quiet, turn] = [0, 0]; quiet < 2; quiet++, turn++) {
    // Endless repetition of the same request is a defect.
    expect(turn).toBeLessThan(100);
    const before = tree.version;
    explorer.request(shown.flatMap((canvas) => draw(explorer, canvas, home, 3).wants));
    await vi.advanceTimersByTimeAsync(600);
    if (tree.version !== before) quiet = -1;
  }
  expect(tree.isComplete).toBe(true);
}

/** All that a chart shows, by node: the same nodes have other rows in a new page. */
function picturesOf(explorer: Explorer, shown: readonly Canvas[]) {
  const { tree, store } = explorer;
  const { colour, steps } = store.getState();
  return shown.flatMap((canvas) =>
    [home, near, home].map((camera, at) => {
      // The last one is a canvas that was made smaller.
      const marks = draw(explorer, canvas, camera, undefined, at === 2 ? phone : view);
      const scale = colourScale(tree, { colourBy: colour, steps, theme: 'dark', isColourBlindSafe: false });
      const { count, row, kind, level, x0, y0, x1, y1, header, hidden, hiddenKeywords, hiddenVolume } = marks;
      const numbers = [kind, level, x0, y0, x1, y1, header, hidden, hiddenKeywords, hiddenVolume];
      return {
        view: canvas.view,
        marks: Array.from({ length: count }, (_, i) => [
          tree.node[row[i]!],
          tree.name(row[i]!),
          scale.colours[scale.indexOf[row[i]!]!],
          tree.isLeftOut(row[i]!),
          ...numbers.map((column) => column[i]!),
        ]),
        arcs: marks.form === 'arcs' ? [...marks.arcs.from.subarray(0, count), ...marks.arcs.to.subarray(0, count)] : [],
        hits: hitsOf(explorer, canvas, marks, camera),
      };
    }),
  );
}

/** The nodes under a grid of points. */
function hitsOf({ tree }: Explorer, { picture }: Canvas, marks: Marks, camera: LayoutOptions['camera']) {
  const shown = new ShownMarks(tree, picture.painter);
  shown.show(marks, camera);
  return Array.from({ length: 63 }, (_, at) => {
    const [x, y] = [(at % 9) * 100 + 50, Math.floor(at / 9) * 80 + 40];
    const target = shown.targetAt(x, y, 12, camera);
    return target && [tree.node[target.row], target.isTail];
  });
}

/** The table with all rows open. */
/** The rows of the table. The field that sorts them is only certain to be loaded while the table is shown. */
function listOf({ tree, store }: Explorer) {
  const { focus, tableSort, ranked, view: shownView } = store.getState();
  if (tableSort && isFieldKey(tableSort.by) && shownView !== 'table') return [];
  const all = new Set(Array.from({ length: tree.size }, (_, row) => row));
  return outlineRows(tree, focus, all, listedChildren(tree, tableSort, ranked)).map(({ row, level }) => [
    level,
    tree.node[row],
    tree.name(row),
    tree.keywords[row],
    tree.volume[row],
  ]);
}

type Person = { readonly server: Server; readonly explorer: Explorer; readonly bar: ReturnType<typeof barAt> };
type Change = { readonly says: string; readonly make: (person: Person) => Promise<unknown> };
const says = (text: string, make: Change['make']): Change & { toString(): string } => ({
  says: text,
  make,
  toString: () => text,
});

const setFilter = ({ explorer }: Person, text: string, faint?: boolean) => explorer.setFilter(text, 0, faint);
const filterText = filter.map(writeFilter);
const change: fc.Arbitrary<Change> = fc.oneof(
  filterText.map((text) => says(`filter ${text}`, (person) => setFilter(person, text))),
  fc.constant(says('clear', (person) => setFilter(person, writeFilter(noFilter)))),
  fc
    .boolean()
    .map((on) => says(`faint ${on}`, (person) => setFilter(person, person.explorer.store.getState().filter, on))),
  fc
    .tuple(filterText, filterText)
    .map(([one, other]) =>
      says(`hurry ${one}, ${other}`, (person) => Promise.all([setFilter(person, one), setFilter(person, other)])),
    ),
  filterText.map((text) =>
    says(`offline ${text}`, async (person) => {
      person.server.fails = true;
      await setFilter(person, text);
      person.server.fails = false;
    }),
  ),
  fc
    .constantFrom('keywords', 'volume', 'difficulty', 'equal', 'field:Visits')
    .map((size) => says(`size ${size}`, async ({ explorer }) => explorer.store.setState({ size } as never))),
  fc
    .constantFrom('pillar', 'depth', 'intent', 'volume', 'difficulty', 'field:Stage')
    .map((colour) => says(`colour ${colour}`, async ({ explorer }) => explorer.store.setState({ colour } as never))),
  fc
    .constantFrom<Depth>(...depths)
    .map((depth) => says(`depth ${depth}`, async ({ explorer }) => explorer.setDepth(depth))),
  fc
    .nat({ max: 40 })
    .map((nth) => says(`focus ${nth}`, async ({ explorer }) => explorer.focusOn(nth % explorer.tree.size))),
  fc
    .constantFrom<TableSort>({ by: 'name', descending: false }, { by: 'volume', descending: true }, undefined)
    .map((sort) => says(`sort ${sort?.by}`, async ({ explorer }) => explorer.sortTable(sort))),
  fc
    .constantFrom(...drawnViews, 'opportunity' as const, 'table' as const)
    .map((to) => says(`view ${to}`, async ({ explorer }) => explorer.setView(to))),
  fc
    .tuple(
      fc.constantFrom(...scoreRollUps),
      fc.constantFrom(
        'volume*(1-difficulty/100)',
        'volume-keywords',
        'knownShare(difficulty)',
        '1/0',
        'ifUnknown(cpc,2)',
      ),
      fc.subarray([...scoreUses]),
    )
    .map(([rollUp, formula, uses]) =>
      says(`score ${rollUp} of ${formula} for ${uses}`, async ({ explorer }) =>
        applyScore(explorer, `${rollUp}.${formula}`, new Set(uses)),
      ),
    ),
  fc.constant(says('no score', async ({ explorer }) => removeScore(explorer))),
  fc.integer({ min: -4, max: 8 }).map((from) =>
    says(`scores from ${from}`, async (person) => {
      const { score } = person.explorer.store.getState();
      if (score === undefined) return;
      await setFilter(person, writeFilter({ ...noFilter, ranges: [{ of: scoreKeyOf(score), from, to: undefined }] }));
    }),
  ),
  fc.constant(says('back', async ({ bar }) => bar.back())),
);
/** Undefined stands for other data. */
const changes = fc.array(fc.option(change, { freq: 8, nil: undefined }), { minLength: 1, maxLength: 7 });
const data = fc.tuple(root, entries);

// Shows P14.10, P15.21.
test(
  'after any changes, every chart and list equals the one that its address opens',
  async () => {
    let drawn = 0;
    await fc.assert(
      fc.asyncProperty(data, data, changes, (first, second, steps) =>
        withFakeTimers(async () => {
          const servers = await Promise.all([first, second].map(async (of) => serve((await packOf(...of)).pack)));
          const shown = await canvases();
          let at = 0;
          let person: Person = { server: servers[at]!, ...(await open(servers[at]!, '')) };
          await settle(person.explorer, shown);
          for (const step of steps) {
            if (step) await made(step.make(person));
            else {
              person.explorer.stop();
              at = 1 - at;
              person = { server: servers[at]!, ...(await open(servers[at]!, person.bar.read())) };
            }
            const { explorer, server } = person;
            await settle(explorer, shown);
            const { tableSort } = explorer.store.getState();
            const { explorer: reopened } = await open(server, explorer.address.link(), tableSort);
            const fresh = await canvases();
            await settle(reopened, fresh);
            expect(reopened.address.link()).toBe(explorer.address.link());
            const pictures = picturesOf(explorer, shown);
            expect(pictures).toEqual(picturesOf(reopened, fresh));
            expect(listOf(explorer)).toEqual(listOf(reopened));
            drawn = Math.max(drawn, ...pictures.map(({ marks }) => marks.length));
            reopened.stop();
          }
          person.explorer.stop();
        }),
      ),
      // Rather a long counterexample than none, if making it shorter takes too long.
      { numRuns: runs, interruptAfterTimeLimit: 6_000 * runs, markInterruptAsFailure: true },
    );
    // Charts of a few marks would prove little.
    expect(drawn).toBeGreaterThan(10);
  },
  10_000 * runs,
);
