import { elementType, OnnxGraph } from './onnx.ts';

/** A TensorFlow.js graph model's weights, as its `model.json` lists them. */
export type WeightsManifest = readonly {
  readonly name: string;
  readonly shape: readonly number[];
  readonly dtype: string;
}[];

/** `positions` has a vector for each position of a token (128 × 256), which the model needs as an input. */
type EncoderModel = { readonly onnx: Uint8Array; readonly positions: Float32Array };

/** The maximum number of tokens of a text. */
export const maxTokens = 128;
/** The dimensions of tokens before the first layer, and of texts. */
const tokenWidth = 256;
export const textWidth = 512;
const hiddenWidth = 1536;
const heads = 4;

/**
 * The Universal Sentence Encoder Lite (Cer et al., 2018) as an ONNX model: two transformer layers, the mean over tokens and
 * one dense layer. Inputs: `tokens` (texts × length, int64) and `positions` (length × 256). Output: `vectors` (texts × 512,
 * of length 1). Dense layers multiply 8-bit integers. Each token is quantised by its own scale, so that the vector of a
 * text never depends on the other texts of its batch.
 *
 * @param data the weights in the order of the manifest, 4 bytes per value
 */
export function liteModel(manifest: WeightsManifest, data: Uint8Array<ArrayBuffer>): EncoderModel {
  const weights = readWeights(manifest, data);
  const graph = new OnnxGraph();
  const tokens = graph.floats(
    [8002, tokenWidth],
    weights('module/Embeddings_en').map((value) => 2 * value),
  );
  const size = graph.node('Shape', ['tokens']);
  let state = inRows(graph, graph.node('Add', [graph.node('Gather', [tokens, 'tokens']), 'positions']), tokenWidth);
  for (const layer of [0, 1] as const) state = transformer(graph, weights, layer, state, size);
  const dense = graph.node('MatMul', [state, graph.floats([textWidth, textWidth], weights('tanh_layer_0/weights'))]);
  const activated = graph.node('Tanh', [
    graph.node('Add', [dense, graph.floats([textWidth], weights('tanh_layer_0/bias'))]),
  ]);
  const vectors = graph.node('LpNormalization', [activated], { axis: -1, p: 2 });
  return {
    onnx: graph.model(
      [
        { name: 'tokens', type: elementType.int64, shape: ['texts', 'length'] },
        { name: 'positions', type: elementType.float, shape: ['length', tokenWidth] },
      ],
      [{ name: vectors, type: elementType.float, shape: ['texts', textWidth] }],
    ),
    positions: positionVectors(weights('TimingSignal/ExpandDims_1')),
  };
}

/** Reshapes the tokens of all texts to one matrix with a row for each token. */
const inRows = (graph: OnnxGraph, tokens: string, width: number): string =>
  graph.node('Reshape', [tokens, graph.integers(-1, width)]);

/** Reshapes rows to texts × length × parts. @param size the number and the length of texts */
const byText = (graph: OnnxGraph, rows: string, size: string, ...parts: readonly number[]): string =>
  graph.node('Reshape', [rows, graph.node('Concat', [size, graph.integers(...parts)], { axis: 0 })]);

/**
 * A transformer layer: attention and a feed-forward network, each after a normalisation and with a residual connection.
 *
 * @param input a row for each token
 * @param size the number and the length of texts
 * @returns a row for each token; of the last layer, the mean of each text
 */
function transformer(graph: OnnxGraph, weights: Weights, layer: 0 | 1, input: string, size: string): string {
  const width = layer === 0 ? tokenWidth : textWidth;
  const own = (name: string) => weights(`/Layer_${layer}/TransformerLayer/${name}`);
  const attended = attention(graph, own, width, normalise(graph, own, '', width, input), size);
  // The first layer widens its tokens, so its residual connection has to widen them, too.
  const shortcut =
    layer === 0 ? dense(graph, input, own('dense/kernel'), own('dense/bias'), tokenWidth, textWidth) : input;
  const middle = graph.node('Add', [attended, shortcut]);
  const normal = normalise(graph, own, 'FFN/', textWidth, middle);
  const kernel = (part: string) => own(`FFN/${part}/Tensordot/Reshape_1`);
  const wide = dense(graph, normal, kernel('conv1'), own('FFN/conv1/bias'), textWidth, hiddenWidth);
  const narrow = (hidden: string) =>
    dense(graph, hidden, kernel('conv2'), own('FFN/conv2/bias'), hiddenWidth, textWidth, true);
  if (layer === 0) return graph.node('Add', [middle, narrow(wide)]);
  // Only the mean over tokens is needed of the last layer. It is taken before the last product, which is linear, and so saves most of it.
  const mean = (of: string, wideness: number) =>
    graph.node('ReduceMean', [byText(graph, of, size, wideness)], { axes: [1], keepdims: 0 });
  return graph.node('Add', [mean(middle, textWidth), narrow(mean(graph.node('Relu', [wide]), hiddenWidth))]);
}

/** Multi-head attention. The scaling of queries is part of their weights. */
function attention(
  graph: OnnxGraph,
  own: (name: string) => Float32Array,
  width: number,
  input: string,
  size: string,
): string {
  const scale = 1 / Math.sqrt(width / heads);
  const isQuery = (index: number) => index % (3 * width) < width;
  const scaled = (values: Float32Array) => values.map((value, index) => (isQuery(index) ? scale * value : value));
  const projection = 'MultiheadAttention/qkv_transform_single';
  const all = dense(
    graph,
    input,
    scaled(own(`${projection}/kernel`)),
    scaled(own(`${projection}/bias`)),
    width,
    3 * width,
  );
  const [queries, keys, values] = graph.nodeWith(3, 'Split', [all, graph.integers(width, width, width)], { axis: -1 });
  const byHead = (part: string, order: readonly number[]) =>
    graph.node('Transpose', [byText(graph, part, size, heads, width / heads)], { perm: order });
  const scores = graph.node('MatMul', [byHead(queries!, [0, 2, 1, 3]), byHead(keys!, [0, 2, 3, 1])]);
  const shares = graph.node('Softmax', [scores], { axis: -1 });
  const mixed = graph.node('Transpose', [graph.node('MatMul', [shares, byHead(values!, [0, 2, 1, 3])])], {
    perm: [0, 2, 1, 3],
  });
  const joined = inRows(graph, mixed, width);
  const output = 'MultiheadAttention/output_transform_single';
  return dense(graph, joined, own(`${output}/kernel`), own(`${output}/bias`), width, textWidth);
}

function normalise(
  graph: OnnxGraph,
  own: (name: string) => Float32Array,
  part: string,
  width: number,
  input: string,
): string {
  const layer = `${part}layer_prepostprocess/layer_norm`;
  const scale = graph.floats([width], own(`${layer}/layer_norm_scale`));
  const bias = graph.floats([width], own(`${layer}/layer_norm_bias`));
  return graph.node('LayerNormalization', [input, scale, bias], { axis: -1, epsilon: { float: 1e-6 } });
}

/**
 * A dense layer in 8-bit integers. Each column of weights has its own scale (−63 to 63), and so has each row of the input: −127 to 127, or 0 to 255
 * if only positive values count.
 *
 * @param kernel `from` × `to`
 * @param onlyPositive takes negative values for zero
 */
function dense(
  graph: OnnxGraph,
  input: string,
  kernel: Float32Array,
  bias: Float32Array,
  from: number,
  to: number,
  onlyPositive = false,
): string {
  const sizes = onlyPositive ? input : graph.node('Abs', [input]);
  const largest = graph.node('ReduceMax', [sizes], { axes: [-1], keepdims: 0 });
  const floor = graph.floats([], Float32Array.of(1e-12));
  const maxStep = graph.floats([], Float32Array.of(onlyPositive ? 255 : 127));
  const rowScale = graph.node('Div', [graph.node('Max', [largest, floor]), maxStep]);
  const one = graph.floats([], Float32Array.of(1));
  const zero = graph.uint8(onlyPositive ? 0 : 128);
  const zeros = graph.node('Expand', [zero, graph.node('Shape', [rowScale])]);
  const rows = graph.node('QuantizeLinear', [input, rowScale, zeros], { axis: 0 });
  const { scale, steps: columns } = quantised(kernel, to);
  // The operator takes a single scale for all rows, so their own scales are applied after it.
  const byColumn = graph.node('MatMulIntegerToFloat', [
    rows,
    graph.int8s([from, to], columns),
    one,
    graph.floats([to], scale),
    zero,
  ]);
  const scales = graph.node('Reshape', [rowScale, graph.integers(-1, 1)]);
  return graph.node('Add', [graph.node('Mul', [byColumn, scales]), graph.floats([to], bias)]);
}

/**
 * Seven bits: processors without VNNI add pairs of products in 16 bits, and 2 × 255 × 63 is the most that fits. So all
 * processors compute the same.
 */
const largestWeight = 63;

/** Plain loops over rows, because this takes most of the time of loading the model. */
function quantised(kernel: Float32Array, columns: number): { scale: Float32Array; steps: Int8Array } {
  const scale = new Float32Array(columns);
  const steps = new Int8Array(kernel.length);
  for (let row = 0; row < kernel.length; row += columns) {
    for (let column = 0; column < columns; column++) {
      const size = Math.abs(kernel[row + column]!);
      if (size > scale[column]!) scale[column] = size;
    }
  }
  for (let column = 0; column < columns; column++) scale[column] = scale[column]! / largestWeight || 1;
  for (let row = 0; row < kernel.length; row += columns) {
    // Rounds as Math.round does.
    for (let column = 0; column < columns; column++)
      steps[row + column] = Math.floor(kernel[row + column]! / scale[column]! + 0.5);
  }
  return { scale, steps };
}

/** Sines, then cosines, of the position times descending frequencies (Vaswani et al., 2017). */
function positionVectors(frequencies: Float32Array): Float32Array {
  const vectors = new Float32Array(maxTokens * tokenWidth);
  for (let position = 0; position < maxTokens; position++) {
    frequencies.forEach((frequency, at) => {
      vectors[position * tokenWidth + at] = Math.sin(position * frequency);
      vectors[position * tokenWidth + tokenWidth / 2 + at] = Math.cos(position * frequency);
    });
  }
  return vectors;
}

/** The values of the weight whose name contains a text. Names begin with "module", whose parts differ. */
type Weights = (name: string) => Float32Array;

function readWeights(manifest: WeightsManifest, data: Uint8Array<ArrayBuffer>): Weights {
  let start = 0;
  const places = manifest.map(({ name, shape, dtype }) => {
    const bytes = 4 * shape.reduce((product, size) => product * size, 1);
    start += bytes;
    return { name, dtype, start: start - bytes, bytes };
  });
  return (name) => {
    const found = places.filter((place) => place.dtype === 'float32' && `/${place.name}`.includes(name));
    if (found.length !== 1) throw new Error(`${found.length} weights are called ${name}`);
    const [place] = found;
    const first = data.byteOffset + place!.start;
    return new Float32Array(data.buffer.slice(first, first + place!.bytes));
  };
}
