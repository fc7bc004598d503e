import { sliceOf } from '@kc/pack/test/support/trees';
import { describe, expect, test } from 'vitest';
import { loadTree } from '../../../../test/support/tree.ts';
import { type ChartView, loadChart } from '../../charts/charts.ts';
import { drawMarks } from '../../charts/paint/draw-marks.ts';
import { legendFor } from '../../charts/paint/legend.ts';
import type { Paint } from '../../charts/paint/painter.ts';
import { patternOf } from '../../charts/paint/textures.ts';
import { markLookOf } from '../legend/mark-look.ts';
import { SvgPen, xml } from './svg-pen.ts';

const shop = `shop (
  "shoes & <boots>":pillar (trail:cluster (a 300 b 200 c 100 +40) road:cluster (d 90 "from “here” to 'there'" 80) )
  hats:pillar (sun:cluster (e 70 f 60) winter:cluster ("靴 café" 50 g 40) )
  bags:pillar 20
)`;
const size = { width: 900, height: 600 };
const plain = (text: string) => ({ width: text.length * 6, toBaseline: 4 });
const paint: Paint = {
  theme: 'light',
  colourBy: 'pillar',
  patterns: patternOf,
  sizeBy: 'keywords',
  hover: -1,
  selection: new Set([1]),
  glow: { counts: new Map([[2, 1]]), hits: new Set([2]), lastRow: 99 },
  previewed: -1,
  window: { ...size, isWhole: true },
  focusRing: -1,
  dpr: 1,
};

async function drawn(view: ChartView, look: Partial<Paint> = {}, outline = shop) {
  const { createLayout, painter } = await loadChart(view);
  const tree = loadTree(sliceOf(outline.replace(/\n/g, '')));
  const camera = { x: 0, y: 0, k: 1 };
  const options = { focus: 0, ...size, camera, sizeBy: 'keywords', depth: 3, minPx: 3, budget: 20_000 } as const;
  const marks = createLayout()(tree, options);
  const pen = new SvgPen(size, plain, 'p');
  drawMarks(pen.context, painter, marks, tree, { ...paint, ...look });
  return { markup: pen.markup(), marks, context: pen.context };
}

/** Whether every element is closed by its own end. Attributes are quoted, and text is escaped. */
function isWellFormed(markup: string): boolean {
  const open: string[] = [];
  const rest = markup.replace(
    /<(\/?)([A-Za-z]+)((?: [a-zA-Z-]+="[^"<]*")*)(\/?)>/g,
    (_, end, name, _attributes, empty) => {
      if (end) expect(open.pop()).toBe(name);
      else if (!empty) open.push(name);
      return '';
    },
  );
  return open.length === 0 && !/[<>]|&(?!(amp|lt|gt|quot);)/.test(rest);
}

const textsIn = (markup: string) =>
  [...markup.matchAll(/<text[^>]*>(?:<textPath[^>]*>)?([^<]*)/g)].map(([, text]) => text);

// Shows P14.23.
test('a box that is too narrow for a line has its name from the bottom up', async () => {
  const { markup } = await drawn('treemap', {}, 'shop (tools (rake 9 +30) "garden hoses" 40)');
  const upright = /<text[^>]*rotate\(-90\)[^>]*>garden hoses</;
  expect(markup).toMatch(upright);
});

test('a long name is cut before a box is left blank', async () => {
  const long = `entity_${'autocomplete '.repeat(20)}`.trim();
  const others = Array.from({ length: 99 }, (_, nth) => `other${nth} 1`).join(' ');
  const { markup } = await drawn('treemap', {}, `shop (${others} "${long}" 1)`);
  expect(textsIn(markup).some((text) => text!.startsWith('entity_'))).toBe(true);
});

// Shows P14.23.
test.each(['treemap', 'bubbles', 'sunburst', 'icicle', 'tree'] as const)(
  'the swatches of the legend have the colours that the view %s draws, in both themes',
  async (view) => {
    const outline = 'shop (shoes (trail (a 300 b 200) road (c 90 d 80)) hats (sun (e 70 f 60) winter (g 50 h 40)))';
    const tree = loadTree(sliceOf(outline));
    const marks = markLookOf({ view, depth: '3', defaultDepth: '2', autoExpand: true });
    for (const theme of ['light', 'dark'] as const) {
      const { markup } = await drawn(view, { theme, patterns: undefined, selection: new Set() }, outline);
      const entries = legendFor(tree, { colourBy: 'pillar', theme }, { marks });
      expect(entries).toHaveLength(2);
      for (const { colour } of entries) expect(markup).toContain(colour);
    }
  },
);

const views = ['treemap', 'bubbles', 'sunburst', 'icicle', 'tree'] as const;

test.each(views)(
  'after the hit counts of a %s are drawn, text is left-aligned again, as names need it',
  async (view) => {
    const glow = {
      counts: new Map(Array.from({ length: 20 }, (_, node) => [node, 3])),
      hits: new Set([2]),
      lastRow: 99,
    };
    const { context, markup } = await drawn(view, { glow });
    expect(textsIn(markup)).toContain('3');
    expect(context.textAlign).toBe('left');
  },
);

test.each([200, 400])(
  'each of %i hits has a ring; with more than 250, there are no halos, which would cover the chart',
  async (hits) => {
    const nodes = Array.from({ length: hits }, (_, i) => i + 1);
    const glow = { counts: new Map(nodes.map((node) => [node, 1])), hits: new Set(nodes), lastRow: 999 };
    const many = `shop (${nodes.map((node) => `k${node} 1`).join(' ')})`;
    const { markup } = await drawn('treemap', { glow, selection: new Set() }, many);
    const golden = markup.match(/stroke="#a16207"[^>]*/g)!;
    expect(golden.filter((ring) => !/opacity/.test(ring)).length).toBe(hits);
    expect(golden.filter((ring) => /opacity/.test(ring)).length).toBe(hits > 250 ? 0 : hits);
  },
);

// Shows P16.7.
describe('a drawing as SVG', () => {
  test.each(views)('of the %s is well-formed XML with finite numbers, and names are text elements', async (view) => {
    const { markup, marks } = await drawn(view, { colourBy: view === 'icicle' ? 'intent' : 'pillar' });
    expect(isWellFormed(markup)).toBe(true);
    expect(markup).not.toMatch(/NaN|undefined|Infinity|\[object/);
    for (const [, name] of markup.matchAll(/(?:url\(#|href="#)(\w+)/g)) expect(markup).toContain(`id="${name}"`);
    expect(marks.count).toBeGreaterThan(10);
    expect(textsIn(markup)).toEqual(expect.arrayContaining([expect.stringMatching(/^shoes &amp; &lt;boo/), 'hats']));
  });

  test('defines each pattern once, with shapes and no images, also the one for unknown values', async () => {
    const { markup } = await drawn('treemap');
    expect(markup.match(/<pattern /g)!.length).toBeGreaterThan(2);
    expect(new Set(markup.match(/<pattern .*?<\/pattern>/g)!.map((one) => one.replace(/id="\w+"/, ''))).size).toBe(
      markup.match(/<pattern /g)!.length,
    );
    expect(markup).not.toContain('<image');
    expect((await drawn('treemap', { colourBy: 'difficulty', patterns: undefined })).markup).toContain('<pattern ');
  });

  test('has one text element for a name that follows a circle', async () => {
    const { markup } = await drawn('bubbles');
    expect(markup).toMatch(/<textPath[^>]*>hats<\/textPath>/);
  });
});

test('a whole circle is drawn as two arcs, and a part of one as one or two', () => {
  const pen = new SvgPen(size, plain, 'p');
  const pathOf = (start: number, end: number, isBackwards?: boolean) => {
    const before = pen.markup().length;
    pen.beginPath();
    pen.arc(10, 10, 5, start, end, isBackwards);
    pen.fill();
    return /d="([^"]*)"/.exec(pen.markup().slice(before))![1];
  };
  expect(pathOf(0, 2 * Math.PI)).toBe('M15 10A5 5 0 0 1 5 10A5 5 0 0 1 15 10');
  expect(pathOf(0, Math.PI / 2)).toBe('M15 10A5 5 0 0 1 10 15');
  expect(pathOf(Math.PI / 2, 0, true)).toBe('M10 15A5 5 0 0 0 15 10');
  expect(pathOf(0, Math.PI / 2, true)).toMatch(/^M15 10A5 5 0 0 0 \S+ \S+A5 5 0 0 0 10 15$/);
});

test('restoring the saved state undoes every change since, including clips', () => {
  const pen = new SvgPen(size, plain, 'p');
  pen.fillStyle = '#111';
  pen.save();
  pen.beginPath();
  pen.rect(0, 0, 5, 5);
  pen.clip();
  pen.translate(3, 4);
  pen.fillStyle = '#222';
  pen.fillRect(0, 0, 1, 1);
  pen.restore();
  pen.fillRect(0, 0, 2, 2);
  expect(pen.markup()).toMatch(
    /<g clip-path="url\(#p0\)"><rect [^>]*fill="#222" transform="translate\(3 4\)"\/><\/g><rect [^>]*fill="#111"\/>$/,
  );
});

test('characters that XML cannot contain are escaped or replaced', () => {
  expect(xml('a<b> & "c" \u0000\ud800 😀 \t\u{10ffff}')).toBe(
    'a&lt;b&gt; &amp; &quot;c&quot; \ufffd\ufffd 😀 \t\u{10ffff}',
  );
});
