/** Writes protocol buffer messages, as much as an ONNX model needs. A message is its fields in a row. */

const text = new TextEncoder();

export const message = (...fields: readonly Uint8Array[]): Uint8Array => {
  const bytes = new Uint8Array(fields.reduce((sum, field) => sum + field.length, 0));
  let end = 0;
  for (const field of fields) {
    bytes.set(field, end);
    end += field.length;
  }
  return bytes;
};

/** A whole number, not negative unless it is -1 or so: negative numbers take ten bytes. */
export const integer = (field: number, value: number): Uint8Array =>
  Uint8Array.from([...variableLength(BigInt(field * 8)), ...variableLength(BigInt.asUintN(64, BigInt(value)))]);

export const float = (field: number, value: number): Uint8Array => {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setFloat32(0, value, true);
  return message(Uint8Array.from(variableLength(BigInt(field * 8 + 5))), bytes);
};

/** A text, a message or bytes. */
export const bytes = (field: number, value: string | Uint8Array): Uint8Array => {
  const content = typeof value === 'string' ? text.encode(value) : value;
  const start = [...variableLength(BigInt(field * 8 + 2)), ...variableLength(BigInt(content.length))];
  return message(Uint8Array.from(start), content);
};

function variableLength(value: bigint): number[] {
  const found: number[] = [];
  let rest = value;
  for (; rest > 127n; rest >>= 7n) found.push(Number(rest & 127n) | 128);
  return [...found, Number(rest)];
}
