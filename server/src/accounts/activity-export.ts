import { Readable } from 'node:stream';
import { detailsText, namesOf } from '@kc/rules/activity';
import { type ActivityFilter, type ActivityLine, activityExport, activityLines } from '@kc/rules/admin-shapes';
import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import { stringify } from 'csv-stringify';
import type { FastifyPluginAsync } from 'fastify';
import { audit } from '../database/audit.ts';
import type { Db } from '../database/open.ts';
import { sendRefusal } from '../http/refusals.ts';
import { listActivity, settledLines } from './activity.ts';
import type { AccountDeps } from './deps.ts';
import { personOf, requireRaw } from './require.ts';

const pageLines = 1_000;

/**
 * `/api/activity.csv`: the filtered audit log as a table, newest first, read and sent page by page. Texts that a
 * spreadsheet would read as formulas are escaped.
 *
 * Source: SECURITY.md, T49; RFC 4180.
 */
export function activityExportRoute({ db, now }: AccountDeps): FastifyPluginAsync {
  return async (scope) => {
    scope.get('/api/activity.csv', { preHandler: requireRaw('admin') }, async (request, reply) => {
      const filter = activityExport.safeParse(request.query);
      if (!filter.success) return sendRefusal(reply, { code: 'request/invalid' });
      const actor = personOf(request.requestContext).account.id;
      await audit(db, { actor, action: 'export', target: 'activity' }, now());
      const date = new Date(now()).toISOString().slice(0, 10);
      reply
        .type('text/csv; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="activity-${date}.csv"`);
      return reply.send(activityCsv(linesOf(db, filter.data)));
    });
  };
}

/**
 * `/api/activity.jsonl`: the filtered audit log for other programs, a JSON object per line, oldest first, without the last minute:
 * see {@link settledLines}. `after` is the ID of the last line that they have.
 *
 * Source: SECURITY.md, T49
 */
export function activityLinesRoute({ db, now }: AccountDeps): FastifyPluginAsync {
  return async (scope) => {
    scope.get('/api/activity.jsonl', { preHandler: requireRaw('admin') }, async (request, reply) => {
      const asked = activityLines.safeParse(request.query);
      if (!asked.success) return sendRefusal(reply, { code: 'request/invalid' });
      const { after, ...filter } = asked.data;
      const actor = personOf(request.requestContext).account.id;
      await audit(db, { actor, action: 'export', target: 'activity' }, now());
      const date = new Date(now()).toISOString().slice(0, 10);
      reply
        .type('application/jsonl; charset=utf-8')
        .header('Content-Disposition', `attachment; filename="activity-${date}.jsonl"`);
      return reply.send(Readable.from(jsonLines(db, filter, after ?? 0, now), { objectMode: false }));
    });
  };
}

async function* jsonLines(db: Db, filter: ActivityFilter, from: number, now: () => number): AsyncGenerator<string> {
  let after: number | undefined = from;
  while (after !== undefined) {
    const page = settledLines(await listActivity(db, filter, { after }, pageLines), now());
    if (page.length > 0) yield page.map((line) => `${JSON.stringify(line)}\n`).join('');
    after = page.length === pageLines ? page.at(-1)?.id : undefined;
  }
}

/** @returns UTF-8 with a byte order mark, by which spreadsheets recognise the encoding */
export function activityCsv(lines: AsyncIterable<ActivityLine> | Iterable<ActivityLine>): Readable {
  const csv = stringify({
    bom: true,
    header: true,
    columns: ['Time', 'Who', 'What', 'About', 'Result', 'Details'],
    cast: { string: harmlessCell },
    record_delimiter: 'windows',
    // Many programs take a lone CR or LF for the end of a line, too.
    quote_record_delimiter: true,
  });
  const source = Readable.from(rowsOf(lines));
  // `pipe` does not propagate errors. The download must break off, not end as if it were complete.
  source.once('error', (error) => csv.destroy(error));
  csv.once('close', () => source.destroy());
  return source.pipe(csv);
}

async function* rowsOf(lines: AsyncIterable<ActivityLine> | Iterable<ActivityLine>): AsyncGenerator<string[]> {
  for await (const line of lines) {
    const { actor, target } = namesOf(line);
    const { at, kind, result, details } = line;
    yield [new Date(at).toISOString(), actor, kind, target, result, detailsText(details)];
  }
}

async function* linesOf(db: Db, filter: ActivityFilter): AsyncGenerator<ActivityLine> {
  let before: number | undefined;
  do {
    const page = await listActivity(db, filter, { before }, pageLines);
    yield* page;
    before = page.length === pageLines ? page.at(-1)?.id : undefined;
  } while (before !== undefined);
}
