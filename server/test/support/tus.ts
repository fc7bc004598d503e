import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { UploadStatus } from '@kc/rules/shapes';

/** A minimal tus client that sends exactly what a test specifies. */
export type TusClient = ReturnType<typeof tusClient>;

export function tusClient(url: string, cookie: string) {
  const base = { cookie, 'tus-resumable': '1.0.0' };
  const at = (location: string): string => new URL(location, url).href;
  return {
    create: (size: number | string, metadata: Record<string, string>, headers: Record<string, string> = {}) =>
      fetch(at('/api/uploads'), {
        method: 'POST',
        headers: { ...base, 'upload-length': String(size), 'upload-metadata': encodeMetadata(metadata), ...headers },
      }),
    patch: (
      location: string,
      offset: number,
      body: Uint8Array<ArrayBuffer> | ReadableStream,
      headers: Record<string, string> = {},
    ) =>
      fetch(at(location), {
        method: 'PATCH',
        headers: {
          ...base,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(offset),
          ...headers,
        },
        body,
        duplex: 'half',
      } as RequestInit),
    head: (location: string) => fetch(at(location), { method: 'HEAD', headers: base }),
    get: (location: string) => fetch(at(location), { headers: base }),
    remove: (location: string) => fetch(at(location), { method: 'DELETE', headers: base }),
    status: async (location: string): Promise<UploadStatus> =>
      (await (await fetch(at(`${location}/status`), { headers: { cookie } })).json()) as UploadStatus,
    /** Creates an upload, sends it in chunks and returns its address. */
    async send(bytes: Uint8Array<ArrayBuffer>, metadata: Record<string, string>, chunk = 4 * 2 ** 20): Promise<string> {
      const created = await this.create(bytes.length, metadata);
      const location = created.headers.get('location');
      if (created.status !== 201 || !location)
        throw new Error(`Not created: ${created.status} ${await created.text()}`);
      for (let offset = 0; offset < bytes.length; offset += chunk) {
        const sent = await this.patch(location, offset, bytes.slice(offset, offset + chunk));
        if (sent.status !== 204) throw new Error(`Not taken: ${sent.status} ${await sent.text()}`);
      }
      return location;
    },
    /** The status once it is `active` or `failed`. */
    async settled(location: string): Promise<UploadStatus> {
      for (;;) {
        const status = await this.status(location);
        if (status.state === 'active' || status.state === 'failed') return status;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
  };
}

/** Opens a request for the first chunk of an upload, so that a test can send its bytes bit by bit. */
export function openPatch(url: string, cookie: string, length: number) {
  const sending = request(url, {
    method: 'PATCH',
    headers: {
      cookie,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
      'content-length': length,
    },
  });
  sending.on('error', () => undefined);
  const answer = once(sending, 'response') as Promise<[IncomingMessage]>;
  answer.catch(() => undefined);
  const isClosed = new Promise((resolve) => sending.once('close', resolve));
  return {
    answer,
    isClosed,
    send(bytes: Uint8Array) {
      sending.write(bytes);
      return this;
    },
  };
}

const encodeMetadata = (metadata: Record<string, string>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
