import type { UploadStatus } from '@kc/rules/shapes';
import { useUploads } from '../../src/api/upload-state.ts';
import type { Handlers, RawCall } from './fake-api.ts';

/**
 * Uploads are sent by `XMLHttpRequest`, which reports its progress. Here it asks `fetch`, so that handlers answer it as
 * well.
 */
class FakeRequest {
  readonly upload: { onprogress?: (event: Pick<ProgressEvent, 'lengthComputable' | 'loaded' | 'total'>) => void } = {};
  onload?: () => void;
  onerror?: (error: unknown) => void;
  status = 0;
  responseText = '';
  readonly #headers = new Headers();
  readonly #end = new AbortController();
  #method = '';
  #url = '';
  #answered = new Headers();

  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value);
  }
  getResponseHeader(name: string): string | null {
    return this.#answered.get(name);
  }
  abort(): void {
    this.#end.abort();
  }
  send(body: Blob | null): void {
    const { signal } = this.#end;
    const size = body?.size ?? 0;
    this.upload.onprogress?.({ lengthComputable: true, loaded: size, total: size });
    fetch(this.#url, { method: this.#method, headers: this.#headers, body, signal })
      .then(async (answer) => {
        this.#answered = answer.headers;
        this.status = answer.status;
        this.responseText = await answer.text();
        if (!signal.aborted) this.onload?.();
      })
      .catch((error) => signal.aborted || this.onerror?.(error));
  }
}

globalThis.XMLHttpRequest = FakeRequest as unknown as typeof XMLHttpRequest;

/** Ends the upload of a test, because uploads outlive their screen. */
export const forgetUploads = (): void => useUploads.setState({ receiverId: '', transfer: undefined });

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
