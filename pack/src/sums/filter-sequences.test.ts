import fc from 'fast-check';
import { expect, test } from 'vitest';
import { entries, filter, packOf, root } from '../../test/support/filter-trees.ts';
import { type Filter, noFilter } from '../filter/filter.ts';
import { readFilter, writeFilter } from '../filter/filter-text.ts';
import type { PackReader } from '../format/pack-reader.ts';
import { filterPack } from '../levels/filter-pack.ts';

/** What somebody does in the filter panel. */
type Step = { readonly kind: 'set'; readonly parts: Filter } | { readonly kind: 'clear' | 'undo' | 'drop' };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: filter.map((parts): Step => ({ kind: 'set', parts })) },
  { weight: 3, arbitrary: fc.constantFrom<Step>({ kind: 'clear' }, { kind: 'undo' }, { kind: 'drop' }) },
);

const changed = (before: Filter, parts: Filter): Filter => {
  const set = Object.entries(parts).filter(([name, value]) => value !== noFilter[name as keyof Filter]);
  return { ...before, ...Object.fromEntries(set) };
};

/** A filter without the first of its conditions. */
function dropped(before: Filter): Filter {
  const [name] = Object.entries(before).find(([part, value]) => {
    const none = noFilter[part as keyof Filter];
    return Array.isArray(value) ? value.length > 0 : value !== none;
  }) ?? [undefined];
  return name === undefined ? before : { ...before, [name]: noFilter[name as keyof Filter] };
}

async function keptOf(pack: PackReader, text: string) {
  const kept = await filterPack(pack, readFilter(text)!);
  return {
    keeps: Array.from({ length: pack.metadata.nodes }, (_, row) => kept.keeps(row)),
    counts: Array.from({ length: pack.metadata.nodes }, (_, row) => kept.counts(row)),
    keywords: [...kept.kept.keywords],
    volumes: [...(await kept.column('volume'))],
    difficulties: [...(await kept.column('difficulty'))],
  };
}

test('after any sequence of setting, dropping, clearing and undoing parts, a pack answers as if it were just opened', async () => {
  let answers = 0;
  await fc.assert(
    fc.asyncProperty(
      root,
      entries,
      fc.array(step, { minLength: 2, maxLength: 8 }),
      async (hierarchy, keywords, steps) => {
        // What a pack holds after its first filters, such as counts of words and clusters, must suit all later ones.
        const { pack: used } = await packOf(hierarchy, keywords);
        const past: Filter[] = [noFilter];
        for (const one of steps) {
          const now = past.at(-1)!;
          if (one.kind === 'undo') {
            if (past.length > 1) past.pop();
          } else
            past.push(one.kind === 'set' ? changed(now, one.parts) : one.kind === 'drop' ? dropped(now) : noFilter);
          const text = writeFilter(past.at(-1)!);
          const { pack: opened } = await packOf(hierarchy, keywords);
          expect(await keptOf(used, text)).toEqual(await keptOf(opened, text));
          answers++;
        }
      },
    ),
    { numRuns: 40, seed: 8, endOnFailure: true },
  );
  expect(answers).toBeGreaterThan(100);
});
