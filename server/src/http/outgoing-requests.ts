/**
 * The encodings that requests to other servers accept. Brotli is left out: the decoder of Node before 24.22.1 can be
 * attacked by the response, and the responses we read are too small to need it.
 */
export const withoutBrotli = 'gzip, deflate';

/**
 * The whole body of a response, or `undefined` as soon as it exceeds the limit; the rest is not read.
 *
 * @param most bytes, after decompression
 * @throws if the connection breaks or its request is aborted
 */
export async function readUpTo(response: Response, most: number): Promise<Buffer | undefined> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of response.body ?? []) {
    length += part.length;
    if (length > most) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
