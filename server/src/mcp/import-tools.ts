import { type Draft, importQuestions } from '@kc/rules/draft-shapes';
import * as z from 'zod';
import type { AddTool, Answer } from './answers.ts';
import type { MapApi } from './map-api.ts';

/** A request has 64 KB, in which a character of a list may need six. */
const maxListLength = 10_000;

/** The tools that import a list, as `PUT /api/imports/{id}` does, and say what becomes of it. */
export function importTools({ tool, api, origin }: { tool: AddTool; api: MapApi; origin: string }): void {
  const progressOf = ({ id, name, state, percent, revision, handsOff, refusal, visualizationId }: Draft): Answer => {
    const address = new URL('/visualization', origin);
    address.searchParams.set(visualizationId ? 'v' : 'draft', visualizationId ?? id);
    return {
      draft: id,
      name,
      state,
      percent,
      map: visualizationId,
      counts: revision?.counts,
      waitsForSomebody: handsOff?.waits || undefined,
      guesses: handsOff?.open.map(({ code, params }) => ({ question: code.replace('list/', ''), ...params })),
      refusal,
      link: address.href,
    };
  };

  tool(
    'import_list',
    {
      title: 'Import a list',
      says: 'Imports a keyword list: next month’s list of the active map, or a new map. It is clustered after the answer: ask `import_progress`. Longer lists are sent to `/api/imports/active/list.csv` with PUT and the same token.',
      input: {
        list: z.string().min(1).max(maxListLength).describe('CSV with a header, or one keyword per line.'),
        map: z
          .string()
          .max(64)
          .optional()
          .describe(
            '`active` updates the active map, and so does its ID; `new` begins another one. `active` without it.',
          ),
        name: z.string().min(1).max(100).optional().describe('Name of the file, such as `may.csv`.'),
        publish: z
          .boolean()
          .optional()
          .describe('Whether it is published if nothing in its reading is a guess. Otherwise it stays a draft.'),
        accept: z.array(z.enum(importQuestions)).optional().describe('Guesses that are right, from `guesses`.'),
        language: z
          .string()
          .regex(/^[a-z]{2}$/)
          .optional()
          .describe('Language of the keywords, such as `en`.'),
      },
      changes: true,
    },
    async ({ list, map: id = 'active', name = 'list.csv', publish, accept, language }) => {
      const query = {
        // A list of search results is JSON, too, and a hierarchy has no draft to ask about.
        as: 'list',
        name,
        language,
        accept: accept?.join(','),
        publish: publish === undefined ? undefined : publish ? 'yes' : 'no',
      };
      const path = `/imports/${encodeURIComponent(id)}`;
      const { draft } = await api.json<{ draft: Draft }>({ method: 'PUT', path, query, body: list });
      return progressOf(draft);
    },
  );

  tool(
    'import_progress',
    {
      title: 'Progress of an import',
      says: 'How far the import of a list is: its state, its map once it is published, and which guesses keep it a draft.',
      input: { draft: z.string().min(1).max(64).describe('ID of the draft, from `import_list`.') },
    },
    async ({ draft }) => progressOf(await api.json({ method: 'GET', path: `/drafts/${encodeURIComponent(draft)}` })),
  );
}
