import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { PlainEntry, PlainNode } from '../../test/support/filter-oracle.ts';
import { packOf } from '../../test/support/filter-trees.ts';
import { findChanges } from './changes.ts';
import { matchPacks } from './match-packs.ts';

const real = new URL('../../../../shared/data/seed-shape-real/add-to-website.json', import.meta.url);

type Node = { name: string; children?: Node[] };

test.skipIf(!existsSync(real))('a real upload and an edited copy differ in exactly what was edited', async () => {
  const file = JSON.parse(readFileSync(real, 'utf8')) as { keywords: PlainEntry[]; hierarchy: Node };
  const edited = structuredClone(file.hierarchy);
  const pillars = edited.children!;
  const from = pillars.find(({ children }) => (children?.length ?? 0) > 3)!;
  const to = pillars.find((one) => one !== from)!;
  from.children![0]!.name = 'Renamed by the test';
  to.children!.push(from.children!.splice(1, 1)[0]!);
  from.children!.splice(1, 1);
  const packs = [edited, file.hierarchy].map((tree) => packOf(tree as PlainNode, file.keywords));
  const [{ pack: after }, { pack: before }] = [await packs[0]!, await packs[1]!];
  const changes = await findChanges({ match: await matchPacks(after, before, [1, 2]), after, before });
  expect(changes.counts('clusters')).toMatchObject({ gone: 1, moved: 1, renamed: 1, new: 0 });
});
