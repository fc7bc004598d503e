import { memo, useState } from 'react';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { violations } from '../../test/page/axe.ts';
import { DataGrid, GridRow, type RowFrame } from './data-grid.tsx';
import type { GridColumn } from './grid-columns.ts';

const count = 1_000_000;
const columnOf = (id: string, title: string, width: number, isText: boolean): GridColumn => ({
  ...{ id, title, width, isText },
  shownWidth: width,
});
const columns = [columnOf('name', 'Name', 200, true), columnOf('volume', 'Volume', 100, false)];

/** How often each row was drawn, by rank. */
const drawn = new Map<number, number>();
const Row = memo(function Row(frame: RowFrame) {
  drawn.set(frame.rank, (drawn.get(frame.rank) ?? 0) + 1);
  return <GridRow frame={frame} cell={({ id }) => (id === 'name' ? `word ${frame.rank + 1}` : count - frame.rank)} />;
});

function Million() {
  const [cursor, setCursor] = useState(0);
  return (
    <main className="fixed inset-0 flex">
      <DataGrid
        id="word"
        role="grid"
        label="Words"
        attributes={{ className: 'flex-1' }}
        columns={columns}
        count={count}
        keyAt={(rank) => rank}
        rowPx={36}
        cursor={cursor}
        gestures={{ move: setCursor }}
        row={(frame) => <Row key={frame.rank} {...frame} />}
      />
    </main>
  );
}

test('of a million rows those in sight are in the document, and scrolling draws only those that arrive', async () => {
  await render(<Million />);
  const grid = page.getByRole('grid', { name: 'Words' });
  const rows = () => grid.getByRole('row').elements().slice(1);
  await expect.element(grid).toHaveAttribute('aria-rowcount', String(count + 1));
  await expect.poll(() => rows().length).toBeGreaterThan(20);
  expect(rows().length).toBeLessThan(60);
  drawn.clear();
  grid.element().scrollTop = 10 * 36;
  await expect.poll(() => grid.getByText('word 44', { exact: true }).elements()).toHaveLength(1);
  // Those that stay are not drawn again.
  expect([...drawn.values()].every((times) => times === 1)).toBe(true);
  expect(drawn.size).toBeLessThanOrEqual(12);

  (grid.element() as HTMLElement).focus();
  drawn.clear();
  await userEvent.keyboard('{ArrowDown}');
  await expect.element(grid.getByRole('row', { name: /^word 2 / })).toHaveAttribute('aria-current', 'true');
  const moved = [...drawn.keys()].filter((rank) => rank < 2);
  expect(moved).toEqual([0, 1]);
  await userEvent.keyboard('{End}');
  await expect.element(grid.getByRole('row', { name: `word ${count} 1` })).toBeVisible();
  expect(grid.element().getAttribute('aria-activedescendant')).toBe(`word-${count - 1}`);
  expect(rows().length).toBeLessThan(60);
  expect(await violations()).toEqual([]);
});
