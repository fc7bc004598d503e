import { simdLoop } from '@kc/pack/json-loop-simd';
import { createUploadReader } from '@kc/pack/upload-reader';
import type { Refusal } from '@kc/rules/result';
import loopUrl from '../../../../../pack/dist/json-loop.wasm?url';

/** The worker's one answer about a file: what is wrong with it, or nothing. */
export type CheckAnswer = { readonly refusal?: Refusal };

addEventListener('message', async ({ data: file }: MessageEvent<File>) => {
  const refusal = await check(file).catch((): Refusal => ({ code: 'upload/read-failed' }));
  postMessage((refusal ? { refusal } : {}) satisfies CheckAnswer);
});

/** Reads the file in pieces, never all of it at once. */
async function check(file: File): Promise<Refusal | undefined> {
  const reader = createUploadReader({ check: true, loop: await fastLoop() });
  const pieces = file.stream().getReader();
  for (;;) {
    const { done, value } = await pieces.read();
    if (done) break;
    const problem = reader.push(value);
    if (problem) return { code: 'upload/invalid-json', params: { ...problem } };
  }
  const result = reader.finish();
  return result.ok ? undefined : { code: 'upload/invalid-json', params: { ...result.problem } };
}

/** The reader's loop in WebAssembly; undefined where it cannot be had: the one in TypeScript does the same. */
async function fastLoop() {
  const answer = await fetch(loopUrl).catch(() => undefined);
  return answer?.ok ? simdLoop(new Uint8Array(await answer.arrayBuffer())) : undefined;
}
