import { randomNumbers } from '../../cluster/src/communities/random.ts';

const nouns = (
  'socks shoes boots jacket coat dress shirt jeans hat gloves bag backpack wallet watch ring necklace lamp chair table desk ' +
  'sofa bed mattress pillow blanket curtain rug mirror shelf cabinet oven fridge toaster kettle blender knife pan pot plate ' +
  'cup glass bottle drill saw hammer ladder mower hose shovel seeds soil tent stove bike helmet skates kayak paddle camera ' +
  'lens tripod phone charger cable laptop keyboard mouse monitor printer router speaker headphones guitar piano violin'
).split(' ');
const qualities = (
  'wool cotton leather silk linen steel wooden plastic glass bamboo red blue green white black grey waterproof foldable ' +
  'wireless electric portable vintage modern small large heavy light kids mens womens outdoor indoor organic heated'
).split(' ');
const before = (
  'best|cheap|buy|used|top rated|how to clean|how to choose|how to repair|what are|where to buy|are there|custom|' +
  'luxury|affordable|are|why do|how long do|which|new|second hand'
).split('|');
const after = (
  'for sale|near me|online|review|reviews|price|under 50|for beginners|for women|for men|for winter|for travel|vs|size guide|' +
  'parts|repair|warranty|with free shipping|2026|deals|ideas|brands|amazon|for small spaces|as a gift'
).split('|');
const syllables =
  'ba be bo da do fa fi ga ka ki la le lo ma mi mo na ne no pa ra ri ro sa se so ta ti to va vi zo'.split(' ');

/** Keywords as shops would research them, all different, and the product that each is about. */
export type Synthetic = { readonly texts: string[]; readonly volume: Float64Array; readonly product: Int32Array };

/** Products by Zipf's law, some of invented brands, each with words before and after. Equal for equal counts. */
export function syntheticKeywords(count: number): Synthetic {
  const random = randomNumbers(7);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)]!;
  const brands = Array.from(
    { length: 40 + Math.floor(count / 500) },
    () => pick(syllables) + pick(syllables) + pick(syllables),
  );
  const products = Array.from({ length: Math.ceil(count / 25) }, () => {
    const noun = pick(nouns);
    const [first, second] = [random(), random()];
    return [first < 0.4 ? pick(brands) : '', second < 0.6 ? pick(qualities) : '', noun].filter(Boolean).join(' ');
  });
  const product = new Map<string, number>();
  while (product.size < count) {
    // Density 1/x between the first and the last product.
    const number = Math.floor(products.length ** random()) - 1;
    const words = [random() < 0.6 ? pick(before) : '', products[number]!, random() < 0.7 ? pick(after) : ''];
    if (random() < 0.25) words.push(pick(after));
    const text = words.filter(Boolean).join(' ');
    if (!product.has(text)) product.set(text, number);
    else if (random() < 0.5) product.set(`${text} ${pick(brands)}`, number);
  }
  return {
    texts: [...product.keys()],
    volume: Float64Array.from({ length: product.size }, () => Math.floor(10 / (random() + 0.001))),
    product: Int32Array.from(product.values()),
  };
}

/** Ten result URLs per keyword: most of its intent, some of its topic, of hubs, and of nobody else. */
export function syntheticResults(count: number): { readonly lists: string[][]; readonly intent: Int32Array } {
  const random = randomNumbers(7);
  const intents = Math.ceil(count / 6);
  const intent = new Int32Array(count);
  const lists = Array.from({ length: count }, (_, keyword) => {
    const own = Math.floor(intents * random() ** 1.4);
    intent[keyword] = own;
    const urls = new Set<string>();
    while (urls.size < 10) {
      const kind = random();
      if (kind < 0.7) urls.add(`intent${own}.example/${Math.floor(16 * random() ** 1.6)}`);
      else if (kind < 0.85) urls.add(`topic${Math.floor(own / 12)}.example/${Math.floor(20 * random() ** 1.5)}`);
      else if (kind < 0.95) urls.add(`site${Math.floor(random() * count)}.example/`);
      else urls.add(`hub${Math.floor(300 * random() ** 3)}.example/`);
    }
    return [...urls];
  });
  return { lists, intent };
}
