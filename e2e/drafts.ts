import type { Draft } from '@kc/rules/draft-shapes';
import type { Page } from 'playwright-core';
import type { Visitor } from './visitor.ts';

/** A list with its own groups, which needs no clustering. */
export const groupedList = [
  'Keyword,Group,Cluster,Volume',
  ...[
    'red hose,Garden,Hoses,90',
    'blue hose,Garden,Hoses,80',
    'long hose,Garden,Hoses,70',
    'lawn rake,Garden,Rakes,60',
    'leaf rake,Garden,Rakes,50',
    'steel rake,Garden,Rakes,40',
    'cat food,Pets,Food,30',
    'dog food,Pets,Food,20',
    'bird food,Pets,Food,10',
  ],
].join('\n');

type Wanted = { readonly userId: string; readonly name: string };

/** Begins a draft, sends its list and waits until it is ready. The page has an address of the server. */
export async function makeDraft({ page, call }: Visitor, list: string, wanted: Wanted): Promise<Draft> {
  const { userId, name } = wanted;
  const draft = await call<Draft>('POST', '/drafts', {
    userId,
    name,
    description: '',
    files: [{ name: `${name}.csv`, size: Buffer.byteLength(list), corrections: {} }],
    settings: { preset: 'balanced', grouping: 'columns', model: 'none' },
  });
  await send(page, draft.files[0]!.id, list);
  return ready({ call }, draft.id);
}

/** The draft once it can be edited. */
async function ready({ call }: Pick<Visitor, 'call'>, id: string): Promise<Draft> {
  for (;;) {
    const draft = await call<Draft>('GET', `/drafts/${id}`);
    if (draft.state === 'ready') return draft;
    if (!['receiving', 'queued', 'working'].includes(draft.state)) {
      throw new Error(`The draft is ${draft.state}: ${JSON.stringify(draft.refusal)}`);
    }
  }
}

/** Sends a list to its address. */
async function send(page: Page, uploadId: string, list: string): Promise<void> {
  const status = await page.evaluate(
    async ({ id, body }) => {
      const headers = {
        'tus-resumable': '1.0.0',
        'upload-offset': '0',
        'content-type': 'application/offset+octet-stream',
      };
      return (await fetch(`/api/uploads/${id}`, { method: 'PATCH', headers, body })).status;
    },
    { id: uploadId, body: list },
  );
  if (status !== 204) throw new Error(`Sending the list: ${status}`);
}
