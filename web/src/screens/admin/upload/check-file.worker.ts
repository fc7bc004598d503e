import { simdLoop } from '@kc/pack/upload/json-loop-simd';
import { type MemberSummaries, summariseMembers } from '@kc/pack/upload/member-summary';
import { createUploadReader, type UploadReader } from '@kc/pack/upload/upload-reader';
import type { Refusal } from '@kc/rules/result';
import loopUrl from '../../../../../pack/dist/json-loop.wasm?url';
import type { FileCheck } from '../../../api/transfers.ts';

/** A progress report of the worker, sent repeatedly; the last one carries the error, if any. */
export type CheckMessage =
  | { readonly found: Omit<FileCheck, 'state'> }
  | { readonly found: Omit<FileCheck, 'state'>; readonly ended: true; readonly refusal?: Refusal };

const reportEveryMs = 150;
/** The beginning, which shows the members of the entries. Read within 100 ms, before the rest is checked. */
const headBytes = 4 * 2 ** 20;

addEventListener('message', async ({ data: file }: MessageEvent<File>) => {
  const reader = createUploadReader({ check: true, loop: await fastLoop() });
  const members = await membersOf(file).catch(() => undefined);
  if (members) postMessage({ found: { ...foundBy(reader), members } } satisfies CheckMessage);
  const refusal = await check(file, reader).catch((): Refusal => ({ code: 'upload/read-failed' }));
  postMessage({ found: foundBy(reader), ended: true, ...(refusal ? { refusal } : {}) } satisfies CheckMessage);
});

/** @throws whatever the browser throws if the file cannot be read; then the check reports it */
async function membersOf(file: File): Promise<MemberSummaries> {
  const head = await file.slice(0, headBytes).arrayBuffer();
  return summariseMembers(new Uint8Array(head), file.size <= headBytes);
}

/** Reads the file in chunks, never all of it at once. */
async function check(file: File, reader: UploadReader): Promise<Refusal | undefined> {
  const pieces = file.stream().getReader();
  let reportedAt = performance.now();
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) break;
    const problem = reader.push(value);
    if (problem) return { code: 'upload/invalid-json', params: { ...problem } };
    if (performance.now() - reportedAt < reportEveryMs) continue;
    reportedAt = performance.now();
    postMessage({ found: foundBy(reader) } satisfies CheckMessage);
  }
  const result = reader.finish();
  return result.ok ? undefined : { code: 'upload/invalid-json', params: { ...result.problem } };
}

/** The tokenizer loop in WebAssembly. If `undefined`, the TypeScript loop does the same work. */
async function fastLoop() {
  try {
    const response = await fetch(loopUrl);
    return response.ok ? simdLoop(new Uint8Array(await response.arrayBuffer())) : undefined;
  } catch {
    return undefined; // not served, or not compiled
  }
}

function foundBy(reader: UploadReader): Omit<FileCheck, 'state'> {
  return { ...reader.progress, outline: reader.outline() };
}
