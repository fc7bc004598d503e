import { AsyncLocalStorage } from 'node:async_hooks';
import type { Sender } from './sender.ts';
import type { UploadBody } from './upload-body.ts';

/** Data of an upload request that is passed around tus, whose calls have no parameter for it. */
export type UploadRequest = { readonly body: UploadBody; readonly sender: Sender };

const requests = new AsyncLocalStorage<UploadRequest>();

/** Runs `work` as a part of this request. */
export const duringRequest = <T>(request: UploadRequest, work: () => T): T => requests.run(request, work);

/** The request that tus is handling. */
export function currentRequest(): UploadRequest {
  const request = requests.getStore();
  if (!request) throw new Error('An upload is being handled outside its request');
  return request;
}
