import type { Upload } from './maps-api.ts';

const known = (volume: number, difficulty: number | null, intent: string) => ({ volume, difficulty, intent: [intent] });
/** Twelve months as shares of the best one, as in most files. */
const sharesOf = (...months: readonly number[]) => months.map((one) => one / Math.max(...months));
const cluster = (name: string, ...keywords: readonly string[]) => ({
  name,
  type: 'cluster',
  children: keywords.map((keyword) => ({ name: keyword, type: 'keyword' })),
});
const pillar = (name: string, ...clusters: readonly ReturnType<typeof cluster>[]) => ({
  name,
  type: 'pillar_topic',
  children: clusters,
});

/**
 * Eleven keywords whose volumes add up to 1,490: Plants 840 (Roses 780, Herbs 60), Tools 500 (Rakes 320, Spades 180),
 * Watering 150. Four of them have trends: roses peak in the sixth of twelve months, spades in the first, one hose never,
 * and the other is rising.
 */
export const garden: Upload = {
  keywords: [
    { keyword: 'spade', ...known(100, 20, 'transactional'), trend: sharesOf(5, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) },
    { keyword: 'garden spade', ...known(50, 40, 'transactional') },
    { keyword: 'how to sharpen a spade', ...known(30, 10, 'informational') },
    { keyword: 'rake', ...known(300, 60, 'commercial') },
    { keyword: 'leaf rake', ...known(20, null, 'commercial') },
    { keyword: 'rose bush', ...known(500, 50, 'commercial'), trend: sharesOf(1, 1, 1, 1, 2, 6, 2, 1, 1, 1, 1, 1) },
    { keyword: 'climbing rose', ...known(200, 30, 'transactional') },
    { keyword: 'when to prune roses', ...known(80, 15, 'informational') },
    { keyword: 'mint', ...known(60, 5, 'informational') },
    { keyword: 'garden hose', ...known(90, 35, 'transactional'), trend: sharesOf(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1) },
    { keyword: 'hose reel', ...known(60, 45, 'transactional'), trend: sharesOf(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2) },
  ],
  hierarchy: {
    name: 'Garden',
    type: 'root',
    children: [
      pillar(
        'Tools',
        cluster('Spades', 'spade', 'garden spade', 'how to sharpen a spade'),
        cluster('Rakes', 'rake', 'leaf rake'),
      ),
      pillar('Plants', cluster('Roses', 'rose bush', 'climbing rose', 'when to prune roses'), cluster('Herbs', 'mint')),
      pillar('Watering', cluster('Hoses', 'garden hose', 'hose reel')),
    ],
  },
};

/**
 * The garden with a cluster whose difficulty is unknown. Clusters by difficulty and volume: Herbs 5 and 60, Spades 23.3
 * and 180, Roses 31.7 and 780, Hoses 40 and 150, Rakes 60 and 320; Gnomes have a volume of 40. Competition is a hundredth
 * of difficulty.
 */
export const gardenWithGnomes: Upload = {
  keywords: [
    ...garden.keywords.map((one) => {
      const { difficulty, ...rest } = one as { readonly keyword: string; readonly difficulty: number | null };
      return { ...rest, difficulty, competition: difficulty === null ? null : difficulty / 100 };
    }),
    { keyword: 'gnome', volume: 40 },
  ],
  hierarchy: {
    ...garden.hierarchy,
    children: [...garden.hierarchy.children!, pillar('Decoration', cluster('Gnomes', 'gnome'))],
  },
};

/** Two clusters of two keywords; the first keyword of Bots has a volume of 100, that of Mail 90, the second ones 5. */
export const chat: Upload = {
  keywords: [],
  hierarchy: {
    name: 'chat',
    type: 'root',
    children: ['Bots', 'Mail'].map((name, at) => ({
      name,
      type: 'cluster',
      children: [
        { name: `${name} one`, type: 'keyword', volume: 100 - 10 * at },
        { name: `${name} two`, type: 'keyword', volume: 5 },
      ],
    })),
  },
};
