import { expect, test } from 'vitest';
import { arraySink, arraySource } from '../../test/support/trees.ts';
import { readFilter } from '../filter/filter-text.ts';
import { openPack } from '../format/pack-reader.ts';
import { createIngest } from '../ingest.ts';
import { filterPack } from '../levels/filter-pack.ts';
import { writePack } from '../write/pack-writer.ts';
import { branchJson } from './branch-json.ts';

/** The export of a node of a file, parsed. */
async function exported(file: unknown, filter = '', indent?: number): Promise<unknown> {
  const bytes = new TextEncoder().encode(JSON.stringify(file, undefined, indent));
  const reading = createIngest({ hashKey: [1, 2] });
  reading.push(bytes);
  const result = reading.finish();
  if (!result.ok) throw new Error(result.problem.what);
  const sink = arraySink();
  await writePack(result.tree, '00'.repeat(32), sink);
  const pack = await openPack(arraySource(sink.bytes()));
  const keeps = filter === '' ? undefined : (await filterPack(pack, readFilter(filter)!)).keeps;
  let text = '';
  const decoder = new TextDecoder();
  for await (const part of branchJson(pack, arraySource(bytes), 0, keeps && { keeps }))
    text += decoder.decode(part, { stream: true });
  return JSON.parse(text);
}

const owner = { of: ['between', ']'] };

// Shows P16.9.
test.each([undefined, 2])(
  'a node that has children and keywords keeps both lists, and every member around them (indent %s)',
  async (indent) => {
    const hierarchy = {
      name: 'r',
      children: [
        {
          name: 'p',
          note: 'before',
          children: [{ name: 'c', children: ['word a', 'b'], note: '], "x": [' }, 'b 1'],
          owner,
          keywords: [{ keyword: 'word c', volume: 3 }, { keyword: 'd' }],
          status: 'after',
        },
        { name: 'q', keywords: ['b 2'], owner, children: ['word e', 'b 3'] },
        { name: 's', keywords: ['word f'], owner, children: ['b 4'] },
        { name: 'only', keywords: ['word g', 'b 5'], children: [], owner },
        { name: 'gone', keywords: ['b 6'], owner, children: ['b 7'] },
      ],
    };
    const keywords = [{ keyword: 'word a', volume: 1 }, { keyword: 'b' }];
    expect(await exported({ keywords, hierarchy }, '', indent)).toEqual({ hierarchy, keywords });
    expect(await exported({ keywords, hierarchy }, 'has-word', indent)).toEqual({
      hierarchy: {
        name: 'r',
        children: [
          {
            name: 'p',
            note: 'before',
            children: [{ name: 'c', children: ['word a'], note: '], "x": [' }],
            owner,
            keywords: [{ keyword: 'word c', volume: 3 }],
            status: 'after',
          },
          { name: 'q', keywords: [], owner, children: ['word e'] },
          { name: 's', keywords: ['word f'], owner, children: [] },
          { name: 'only', keywords: ['word g'], children: [], owner },
        ],
      },
      keywords: [keywords[0]],
    });
  },
);
