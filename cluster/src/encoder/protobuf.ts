/** Writes protocol buffer messages, as much as an ONNX model needs. A message is its fields in a row. */

/**
 * Bytes in parts, which are put together once at the end: a model is a message in a message in a message, and copying
 * its weights for each takes longer than making them.
 */
export type Parts = { readonly length: number; readonly parts: readonly Uint8Array[] };

const text = new TextEncoder();

export const message = (...fields: readonly Parts[]): Parts => ({
  length: fields.reduce((sum, field) => sum + field.length, 0),
  parts: fields.flatMap((field) => field.parts),
});

export function joined({ length, parts }: Parts): Uint8Array {
  const bytes = new Uint8Array(length);
  let end = 0;
  for (const part of parts) {
    bytes.set(part, end);
    end += part.length;
  }
  return bytes;
}

/** A whole number, not negative unless it is -1 or so: negative numbers take ten bytes. */
export const integer = (field: number, value: number): Parts =>
  onePart(
    Uint8Array.from([...variableLength(BigInt(field * 8)), ...variableLength(BigInt.asUintN(64, BigInt(value)))]),
  );

export const float = (field: number, value: number): Parts => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return message(onePart(Uint8Array.from(variableLength(BigInt(field * 8 + 5)))), onePart(bytes));
};

/** A text, a message or bytes, which must not change before the message is joined. */
export const bytes = (field: number, value: string | Uint8Array | Parts): Parts => {
  const content = typeof value === 'string' ? text.encode(value) : value;
  const start = [...variableLength(BigInt(field * 8 + 2)), ...variableLength(BigInt(content.length))];
  return message(onePart(Uint8Array.from(start)), content instanceof Uint8Array ? onePart(content) : content);
};

const onePart = (bytes: Uint8Array): Parts => ({ length: bytes.length, parts: [bytes] });

function variableLength(value: bigint): number[] {
  const found: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) found.push(Number(rest & 127n) | 128);
  return [...found, Number(rest)];
}
