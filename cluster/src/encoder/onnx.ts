/** Element types of ONNX tensors. */
export const elementType = { float: 1, uint8: 2, int8: 3, int64: 7 } as const;

/** Operators that ONNX Runtime adds to the standard. */
const ownDomain = 'com.microsoft';
const ownOperators: ReadonlySet<string> = new Set(['MatMulIntegerToFloat']);

type Attribute = number | readonly number[] | { readonly float: number };

/** Collects the nodes and constants of a computation, and writes them as an ONNX model. Values are referred to by name. */
export class OnnxGraph {
  private readonly nodes: Parts[] = [];
  private readonly constants: Parts[] = [];
  private names = 0;

  floats(shape: readonly number[], values: Float32Array): string {
    return this.constant(shape, elementType.float, values);
  }

  int8s(shape: readonly number[], values: Int8Array): string {
    return this.constant(shape, elementType.int8, values);
  }

  uint8(value: number): string {
    return this.constant([], elementType.uint8, Uint8Array.of(value));
  }

  integers(...values: readonly number[]): string {
    return this.constant([values.length], elementType.int64, BigInt64Array.from(values, BigInt));
  }

  /** @returns the name of the node's only output */
  node(operator: string, inputs: readonly string[], attributes: Readonly<Record<string, Attribute>> = {}): string {
    return this.nodeWith(1, operator, inputs, attributes)[0]!;
  }

  /** @returns the names of the node's outputs */
  nodeWith(
    outputs: number,
    operator: string,
    inputs: readonly string[],
    attributes: Readonly<Record<string, Attribute>> = {},
  ): string[] {
    const names = Array.from({ length: outputs }, () => this.name());
    this.nodes.push(
      bytes(
        1,
        message(
          ...inputs.map((input) => bytes(1, input)),
          ...names.map((output) => bytes(2, output)),
          bytes(4, operator),
          ...(ownOperators.has(operator) ? [bytes(7, ownDomain)] : []),
          ...Object.entries(attributes).map(([name, value]) => bytes(5, attributeOf(name, value))),
        ),
      ),
    );
    return names;
  }

  /**
   * @param inputs and outputs: a dimension that is a text is free
   * @returns the model, for opset 17
   */
  model(inputs: readonly Variable[], outputs: readonly Variable[]): Uint8Array {
    const graph = message(
      ...this.nodes,
      bytes(2, 'encoder'),
      ...this.constants,
      ...inputs.map((input) => bytes(11, variableOf(input))),
      ...outputs.map((output) => bytes(12, variableOf(output))),
    );
    const versions = [message(bytes(1, ''), integer(2, 17)), message(bytes(1, ownDomain), integer(2, 1))];
    return joined(message(integer(1, 8), bytes(7, graph), ...versions.map((version) => bytes(8, version))));
  }

  private constant(shape: readonly number[], type: number, values: ArrayBufferView): string {
    const name = this.name();
    const raw = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const dimensions = shape.map((size) => integer(1, size));
    this.constants.push(bytes(5, message(...dimensions, integer(2, type), bytes(8, name), bytes(9, raw))));
    return name;
  }

  private name(): string {
    return `v${this.names++}`;
  }
}

export type Variable = { readonly name: string; readonly type: number; readonly shape: readonly (number | string)[] };

function variableOf({ name, type, shape }: Variable): Parts {
  const dimensions = shape.map((size) => bytes(1, typeof size === 'string' ? bytes(2, size) : integer(1, size)));
  return message(bytes(1, name), bytes(2, bytes(1, message(integer(1, type), bytes(2, message(...dimensions))))));
}

function attributeOf(name: string, value: Attribute): Parts {
  if (typeof value === 'number') return message(bytes(1, name), integer(3, value), integer(20, 2));
  if ('float' in value) return message(bytes(1, name), float(2, value.float), integer(20, 1));
  return message(bytes(1, name), ...value.map((one) => integer(8, one)), integer(20, 7));
}

// Protocol buffers, as far as an ONNX model needs them. A message is the sequence of its fields.

/** Bytes in parts, which are joined once at the end: messages are nested, and copying the weights into each would take longer than computing them. */
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
