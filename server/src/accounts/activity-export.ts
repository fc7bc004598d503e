import { Readable } from 'node:stream';
import { detailsText, namesOf } from '@kc/rules/activity';
import { type ActivityFilter, type ActivityLine, activityExport, activityLines } from '@kc/rules/admin-shapes';
import { harmlessCell } from '@kc/rules/spreadsheet-cell';
import { stringify } from 'csv-stringify';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { audit } from '../database/audit.ts';
import type { Db } from '../database/open.ts';
import { sendRefusal } from '../http/refusals.ts';
import { listActivity, settledLines } from './activity.ts';
import type { AccountDeps } from './deps.ts';
import { personOf, requireRaw } from './require.ts';

const pageLines = 1_000;

/**
 * The filtered audit log as a file, read and sent page by page. Each download is in the log, too.
 *
 * `/api/activity.csv`: a table, newest first. Texts that a spreadsheet would read as formulas are escaped.
 *
 * `/api/activity.jsonl`: for other programs, a JSON object per line, oldest first, without the last minute: see
 * {@link settledLines}. `after` is the ID of the last line that they have.
 *
 * Source: SECURITY.md, T49; RFC 4180.
 */
export function activityExportRoutes({ db, now }: AccountDeps): FastifyPluginAsync {
  const send = async (request: FastifyRequest, reply: FastifyReply, type: string, file: Readable) => {
    const actor = personOf(request.requestContext).account.id;
    await audit(db, { actor, action: 'export', target: 'activity' }, now());
    const name = `activity-${new Date(now()).toISOString().slice(0, 10)}.${type}`;
    return reply
      .type(`${type === 'csv' ? 'text/csv' : 'application/jsonl'}; charset=utf-8`)
      .header('Content-Disposition', `attachment; filename="${name}"`)
      .send(file);
  };
  return async (scope) => {
    const preHandler = requireRaw('admin');
    scope.get('/api/activity.csv', { preHandler }, async (request, reply) => {
      const filter = activityExport.safeParse(request.query);
      if (!filter.success) return sendRefusal(reply, { code: 'request/invalid' });
      return send(request, reply, 'csv', activityCsv(linesOf(db, filter.data)));
    });
    scope.get('/api/activity.jsonl', { preHandler }, async (request, reply) => {
      const parsed = activityLines.safeParse(request.query);
      if (!parsed.success) return sendRefusal(reply, { code: 'request/invalid' });
      const { after, ...filter } = parsed.data;
      const lines = Readable.from(jsonLines(db, filter, after ?? 0, now), { objectMode: false });
      return send(request, reply, 'jsonl', lines);
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
