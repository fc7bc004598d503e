import { elementType, OnnxGraph } from '@kc/cluster/encoder/onnx';
import { columnsTogether, type MultiplyBytes } from '@kc/cluster/neighbours/byte-products';

/**
 * Products of bytes on ONNX Runtime's native code, with one thread.
 *
 * @throws if the runtime is not installed, or not for this platform
 */
export async function nativeProducts(): Promise<MultiplyBytes> {
  const { InferenceSession, Tensor } = await import('onnxruntime-node');
  const session = await InferenceSession.create(productModel(), { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const [values, largest] = session.outputNames;
  return async (asked, { dimensions, values: steps, scale, row }) => {
    const width = row.length;
    const found = await session.run({
      asked: new Tensor('uint8', asked, [asked.length / dimensions, dimensions]),
      columns: new Tensor('int8', steps, [dimensions, width]),
      scale: new Tensor('float32', scale, [width]),
    });
    return { values: found[values!]!.data as Float32Array, largest: found[largest!]!.data as Float32Array };
  };
}

function productModel(): Uint8Array {
  const graph = new OnnxGraph();
  const one = graph.floats([], Float32Array.of(1));
  const values = graph.node('MatMulIntegerToFloat', ['asked', 'columns', one, 'scale', graph.uint8(128)]);
  const runs = graph.node('Reshape', [values, graph.integers(0, -1, columnsTogether)]);
  const largest = graph.node('ReduceMax', [runs], { axes: [2], keepdims: 0 });
  return graph.model(
    [
      { name: 'asked', type: elementType.uint8, shape: ['rows', 'dimensions'] },
      { name: 'columns', type: elementType.int8, shape: ['dimensions', 'columns'] },
      { name: 'scale', type: elementType.float, shape: ['columns'] },
    ],
    [
      { name: values, type: elementType.float, shape: ['rows', 'columns'] },
      { name: largest, type: elementType.float, shape: ['rows', 'runs'] },
    ],
  );
}
