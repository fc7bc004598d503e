import type { UploadStatus } from '@kc/rules/shapes';
import type { FieldMap } from '@kc/rules/upload';
import { vi } from 'vitest';
import type { Handlers, RawCall } from './fake-api.ts';

/** In all tests: an upload that a test has left may still ask for its state. */
let begun = 0;

/** Asked before each part of an upload; what it returns is the answer instead. */
export type MayPass = (part: RawCall, size: number) => Promise<Response | undefined>;
const passes: MayPass = async () => undefined;

/**
 * A server that takes one upload of a JSON file after the other, with the calls of the Upload tab.
 *
 * @param afterwards what an upload is once its last byte has arrived: read already, or what the test says then
 */
export function uploadsTo(mayPass = passes, afterwards: 'active' | 'received' = 'active') {
  let [total, received] = [0, 0];
  let status: UploadStatus = { id: '', state: 'receiving', share: 0 };
  const become = (change: Partial<UploadStatus>): UploadStatus => {
    status = { ...status, ...change };
    return status;
  };
  /** Where each part began that was taken, and how many bytes it had. */
  const parts: { offset: number; size: number }[] = [];
  const ended: string[] = [];
  const answer = (code: number, headers: Record<string, string> = {}) =>
    new Response(null, { status: code, headers: { 'tus-resumable': '1.0.0', ...headers } });
  const api = {
    'POST /api/uploads': ({ request }) => {
      total = Number(request.headers.get('upload-length'));
      received = 0;
      begun += 1;
      status = { id: `upload-${begun}`, state: 'receiving', share: 0 };
      return answer(201, { location: `/api/uploads/${status.id}` });
    },
    'HEAD /api/uploads/{id}': () => answer(200, { 'upload-offset': String(received), 'upload-length': String(total) }),
    'PATCH /api/uploads/{id}': async (call) => {
      const { size } = await call.request.clone().blob();
      const refused = await mayPass(call, size);
      if (refused) return refused;
      parts.push({ offset: received, size });
      received += size;
      if (received < total) become({ share: received / total });
      else if (afterwards === 'received') become({ state: 'received', share: 0 });
      else become({ state: 'active', share: 1, visualizationId: `map-${begun}` });
      return answer(204, { 'upload-offset': String(received) });
    },
    'DELETE /api/uploads/{id}': ({ parameters }) => {
      ended.push(parameters.id!);
      return answer(204);
    },
    'uploads.status': () => status,
    'uploads.mapFields': vi.fn(({ fieldMap }: { readonly fieldMap: FieldMap }) => become({ fieldMap })),
    'uploads.unfinished': () => [],
    'uploads.list': () => [],
    'visualizations.list': () => [],
    'drafts.list': () => [],
  } satisfies Handlers;
  return { api, parts, ended, become };
}

/** Drags files over the window and drops them. */
export async function drop(overlay: () => Promise<Element>, ...files: readonly File[]): Promise<void> {
  const dataTransfer = new DataTransfer();
  for (const file of files) dataTransfer.items.add(file);
  const how = { dataTransfer, bubbles: true, cancelable: true };
  document.body.dispatchEvent(new DragEvent('dragenter', how));
  (await overlay()).dispatchEvent(new DragEvent('drop', how));
}
