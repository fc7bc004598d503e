import { sliceOf } from '@kc/pack/test/support/trees';
import { messages } from '@kc/rules/messages';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { loadTree } from '../../../test/support/tree.ts';
import type { Explorer } from '../model/explorer.ts';
import { LoadedTree } from '../tree-data/loaded-tree.ts';
import { ExplorerContext } from './explorer-context.ts';
import { Failure } from './failure.tsx';

function shown(tree: LoadedTree): string {
  const explorer = { tree, explain: () => 'The server cannot be reached.' } as unknown as Explorer;
  return renderToStaticMarkup(
    <ExplorerContext value={explorer}>
      <Failure
        title={messages['explore/picture-failed']}
        failure={new TypeError('no script')}
        onRetry={() => undefined}
      />
    </ExplorerContext>,
  );
}

// Shows P14.13.
test('a failure names what failed and why, keeps the details collapsed, and offers a retry', () => {
  const html = shown(new LoadedTree());
  for (const said of [
    'This chart could not be drawn',
    'The server cannot be reached.',
    'TypeError: no script',
    'Try again',
  ])
    expect(html).toContain(said);
  expect(html).toContain('role="alert"');
  expect(html).not.toContain('<details open');
});

// Shows P14.13.
test('the outline alone is offered if there is one', () => {
  expect(shown(new LoadedTree())).not.toContain('Open outline only');
  expect(shown(loadTree(sliceOf('shoes (trail 30 road 20)')))).toContain('Open outline only');
});
