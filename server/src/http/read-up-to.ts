/**
 * The whole body of an answer, or `undefined` once it is longer; the rest is not read then.
 *
 * @param most bytes, after decompression
 * @throws when the connection breaks or its request is aborted
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
