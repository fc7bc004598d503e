import { Readable } from 'node:stream';
import { limits } from '@kc/rules/limits';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { personOf, requireRaw } from '../accounts/require.ts';
import type { Db } from '../database/open.ts';
import { asError, orRefusal, sendRefusal } from '../http/refusals.ts';
import { openable } from './access.ts';
import { attachmentHeader } from './attachment.ts';
import { canonicalFilter } from './canonical-filter.ts';
import { exportName } from './export-name.ts';
import type { ExportKeys, ExportQuery } from './exports.ts';
import type { Slices } from './slices.ts';

type ById = { Params: { id: string } };

/** Nobody reads so slowly; a connection that takes nothing for so long holds a pack open for nothing. */
const stalledMs = 120_000;

/** HEAD would make all of it, to throw it away. */
const options = { preHandler: requireRaw('approved'), exposeHeadRoute: false };

/** What a visualization holds as files: a table, or a branch that can be uploaded again. */
export function exportRoutes({ db, slices }: { readonly db: Db; readonly slices: Slices }): FastifyPluginAsync {
  const places = createPlaces(limits.maxExportsAtOnce);

  async function send(request: FastifyRequest<ById>, reply: FastifyReply, query: ExportQuery): Promise<FastifyReply> {
    const record = await openable(db, request.asking, request.params.id);
    const isInside = (row: number) => row < record.nodes;
    if ('rows' in query ? !query.rows.every(isInside) : !isInside(query.node)) {
      return sendRefusal(reply, { code: 'visualization/node-not-found' });
    }
    const leave = places.take(personOf(request.asking).account.id);
    const parts = partsOf(slices, record, query, leave);
    // The first part before the headers: what goes wrong at once is answered as a fault, not as a file that breaks off.
    const first = await parts.next();
    const name = exportName(record.file_name, first.value?.branch, {
      form: query.form,
      isFiltered: query.filter !== '',
    });
    reply.raw.setTimeout(stalledMs, () => reply.raw.destroy());
    return reply
      .header('Content-Disposition', attachmentHeader(name))
      .type(query.form === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8')
      .send(streamOf(first, parts));
  }

  return async (scope) => {
    scope.get<ById>('/api/visualizations/:id/export.csv', options, (request, reply) =>
      orRefusal(reply, () => send(request, reply, { form: 'csv', node: nodeOf(request), filter: filterOf(request) })),
    );
    scope.get<ById>('/api/visualizations/:id/export.json', options, (request, reply) =>
      orRefusal(reply, () => send(request, reply, { form: 'json', node: nodeOf(request), filter: filterOf(request) })),
    );
    await scope.register(async (listed) => {
      const bodyLimit = limits.maxExportedRows * rowBytes;
      listed.addContentTypeParser(
        'application/octet-stream',
        { parseAs: 'buffer', bodyLimit },
        (_request, body, done) => done(null, body),
      );
      listed.post<ById>('/api/visualizations/:id/export.csv', options, (request, reply) =>
        orRefusal(reply, () =>
          send(request, reply, { form: 'csv', rows: rowsOf(request.body), filter: filterOf(request) }),
        ),
      );
    });
  };
}

const rowBytes = 4;

/** Pack rows as numbers of 32 bits, little end first, in the order that they are to have; one at least. */
function rowsOf(body: unknown): number[] {
  if (!Buffer.isBuffer(body) || body.length === 0 || body.length % rowBytes !== 0) {
    throw asError({ code: 'visualization/query-invalid' });
  }
  return Array.from({ length: body.length / rowBytes }, (_, index) => body.readUInt32LE(index * rowBytes));
}

function nodeOf({ query }: FastifyRequest<ById>): number {
  const { node = '0' } = query as Record<string, unknown>;
  if (typeof node !== 'string' || !/^\d{1,10}$/.test(node)) throw asError({ code: 'visualization/query-invalid' });
  return Number(node);
}

function filterOf({ query }: FastifyRequest<ById>): string {
  return canonicalFilter((query as Record<string, unknown>).filter);
}

type Part = { readonly bytes: Uint8Array; readonly branch: string | undefined };

/** Asks for part after part, each when the one before is sent; ends the export when the reader goes away. */
async function* partsOf(slices: Slices, keys: ExportKeys, query: ExportQuery, leave: () => void): AsyncGenerator<Part> {
  try {
    const { number, branch } = await slices.beginExport(keys, query);
    try {
      for (let bytes = await slices.nextPart(number); bytes; bytes = await slices.nextPart(number)) {
        yield { bytes, branch };
      }
    } finally {
      await slices.endExport(number);
    }
  } finally {
    leave();
  }
}

/** Sends part after part; whatever ends it, its end or that of its reader, ends the export. */
function streamOf(first: IteratorResult<Part>, rest: AsyncGenerator<Part>): Readable {
  let held: IteratorResult<Part> | undefined = first;
  return new Readable({
    read() {
      const coming = held ? Promise.resolve(held) : rest.next();
      held = undefined;
      coming.then(
        ({ value, done }) => this.push(done ? null : value.bytes),
        (error: Error) => this.destroy(error),
      );
    },
    destroy(error, callback) {
      rest.return(undefined).then(
        () => callback(error),
        (failure: Error) => callback(failure),
      );
    },
  });
}

/** How many exports a person has under way on this server. */
function createPlaces(most: number) {
  const taken = new Map<string, number>();
  return {
    /** @returns gives the place back @throws the refusal when all are taken */
    take(personId: string): () => void {
      const now = taken.get(personId) ?? 0;
      if (now >= most) throw asError({ code: 'visualization/export-busy' });
      taken.set(personId, now + 1);
      return () => {
        const left = taken.get(personId)! - 1;
        if (left === 0) taken.delete(personId);
        else taken.set(personId, left);
      };
    },
  };
}
