import { elementType, OnnxGraph } from '@kc/cluster/encoder/onnx';
import { columnsTogether, type MultiplyBytes } from '@kc/cluster/features/byte-products';
import type { ModelRuntime } from './model-runtime.ts';

/** Products of bytes by a small model: processors multiply many bytes at a time, which plain JavaScript cannot. */
export async function productsBy({ Tensor, open }: ModelRuntime): Promise<MultiplyBytes> {
  const session = await open(productModel());
  const [values, largest] = session.outputNames;
  return async (queries, { dimensions, values: steps, scale, row }) => {
    const width = row.length;
    const found = await session.run({
      queries: new Tensor('uint8', queries, [queries.length / dimensions, dimensions]),
      columns: new Tensor('int8', steps, [dimensions, width]),
      scale: new Tensor('float32', scale, [width]),
    });
    return { values: found[values!]!.data as Float32Array, largest: found[largest!]!.data as Float32Array };
  };
}

function productModel(): Uint8Array {
  const graph = new OnnxGraph();
  const one = graph.floats([], Float32Array.of(1));
  const values = graph.node('MatMulIntegerToFloat', ['queries', 'columns', one, 'scale', graph.uint8(128)]);
  const runs = graph.node('Reshape', [values, graph.integers(0, -1, columnsTogether)]);
  const largest = graph.node('ReduceMax', [runs], { axes: [2], keepdims: 0 });
  return graph.model(
    [
      { name: 'queries', type: elementType.uint8, shape: ['rows', 'dimensions'] },
      { name: 'columns', type: elementType.int8, shape: ['dimensions', 'columns'] },
      { name: 'scale', type: elementType.float, shape: ['columns'] },
    ],
    [
      { name: values, type: elementType.float, shape: ['rows', 'columns'] },
      { name: largest, type: elementType.float, shape: ['rows', 'runs'] },
    ],
  );
}
