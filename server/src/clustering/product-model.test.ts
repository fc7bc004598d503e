import { columnsOf, columnsTogether, queryRows } from '@kc/cluster/features/byte-products';
import { expect, test } from 'vitest';
import { modelRuntime, runtimeKinds } from './model-runtime.ts';
import { productsBy } from './product-model.ts';

test.each(runtimeKinds)('%s code finds the products, and the largest of each run of columns', async (kind) => {
  const [rows, others, dimensions] = [5, 70, 12];
  const made = (count: number, step: number) => ({
    dimensions,
    values: Float32Array.from({ length: count * dimensions }, (_, at) => Math.sin(step * (at + 1))),
  });
  const asked = queryRows(made(rows, 0.7));
  const columns = columnsOf(
    made(others, 1.3),
    Uint32Array.from({ length: others }, (_, row) => row),
  );
  const width = columnsTogether * Math.ceil(others / columnsTogether);
  const { values, largest } = await (await productsBy(await modelRuntime(kind)))(asked.values, columns);
  expect(values).toHaveLength(rows * width);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < width; column++) {
      let sum = 0;
      for (let at = 0; at < dimensions; at++)
        sum += (asked.values[row * dimensions + at]! - 128) * columns.values[at * width + column]!;
      expect(values[row * width + column]).toBe(Math.fround(sum * columns.scale[column]!));
    }
    for (let run = 0; run < width / columnsTogether; run++) {
      const first = row * width + run * columnsTogether;
      const most = Math.max(...values.subarray(first, first + columnsTogether));
      expect(largest[(row * width) / columnsTogether + run]).toBe(most);
    }
  }
});
