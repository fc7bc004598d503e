import type { UploadStatus } from '@kc/rules/shapes';
import type { FieldMap } from '@kc/rules/upload';
import { vi } from 'vitest';
import type { Handlers, RawCall } from './fake-api.ts';
import { accountsOf } from './open-users.tsx';

/**
 * A server that takes one upload after the other, and has read each as soon as its last byte has arrived.
 *
 * @param mayPass asked before each part; what it returns is the answer instead
 */
export function uploadsTo(mayPass: (part: RawCall, size: number) => Promise<Response | undefined>) {
  let total = 0;
  let received = 0;
  let made = 0;
  /** Where each part began that was taken, and how many bytes it had. */
  const parts: { offset: number; size: number }[] = [];
  const ended: string[] = [];
  const answer = (status: number, headers: Record<string, string> = {}) =>
    new Response(null, { status, headers: { 'tus-resumable': '1.0.0', ...headers } });
  const state = (): UploadStatus =>
    received < total
      ? { id: `u${made}`, state: 'receiving', share: received / total }
      : { id: `u${made}`, state: 'active', share: 1, visualizationId: `v${made}` };
  const api = {
    'POST /api/uploads': ({ request }) => {
      total = Number(request.headers.get('upload-length'));
      received = 0;
      return answer(201, { location: `/api/uploads/u${++made}` });
    },
    'HEAD /api/uploads/{id}': () => answer(200, { 'upload-offset': String(received), 'upload-length': String(total) }),
    'PATCH /api/uploads/{id}': async (call) => {
      const { size } = await call.request.clone().blob();
      const refused = await mayPass(call, size);
      if (refused) return refused;
      parts.push({ offset: received, size });
      received += size;
      return answer(204, { 'upload-offset': String(received) });
    },
    'DELETE /api/uploads/{id}': ({ parameters }) => {
      ended.push(parameters.id!);
      return answer(204);
    },
    'uploads.status': state,
    'uploads.unfinished': () => [],
    'uploads.list': () => [],
    'visualizations.list': () => [],
    'drafts.list': () => [],
  } satisfies Handlers;
  return { api, parts, ended };
}

/** Drags files over the window and drops them. */
export async function drop(overlay: () => Promise<Element>, ...files: readonly File[]): Promise<void> {
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  const how = { dataTransfer, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new DragEvent('dragenter', how));
  (await overlay()).dispatchEvent(new DragEvent('drop', how));
}

/** In all tests: an upload that a test has left may still ask for its state. */
let begun = 0;

/**
 * A server's uploads of JSON files, with the calls of the Upload tab. Bytes arrive, and then the upload is `received`
 * until the test says what becomes of it.
 */
export function uploadsOf() {
  let upload: UploadStatus & { readonly size: number; readonly offset: number } = {
    id: '',
    state: 'receiving',
    share: 0,
    size: 0,
    offset: 0,
  };
  const become = (change: Partial<typeof upload>): UploadStatus => {
    upload = { ...upload, ...change };
    return status();
  };
  const status = (): UploadStatus => {
    const { size: _size, offset: _offset, ...told } = upload;
    return told;
  };
  const tus = { 'tus-resumable': '1.0.0' };
  const api = {
    ...accountsOf().api,
    'uploads.list': () => [],
    'uploads.unfinished': () => [],
    'uploads.status': status,
    'uploads.mapFields': vi.fn(({ fieldMap }: { readonly fieldMap: FieldMap }) => become({ fieldMap })),
    'visualizations.list': () => [],
    'drafts.list': () => [],
    'POST /api/uploads': ({ request }) => {
      const id = `upload-${++begun}`;
      become({ id, size: Number(request.headers.get('upload-length')) });
      return new Response(null, { status: 201, headers: { ...tus, location: `/api/uploads/${id}` } });
    },
    'PATCH /api/uploads/{id}': async ({ request }) => {
      const { byteLength } = await request.arrayBuffer();
      const offset = upload.offset + byteLength;
      become({ offset, ...(offset === upload.size && { state: 'received' }) });
      return new Response(null, { status: 204, headers: { ...tus, 'upload-offset': `${offset}` } });
    },
    'DELETE /api/uploads/{id}': vi.fn(() => new Response(null, { status: 204, headers: tus })),
  } satisfies Handlers;
  return { api, become };
}
