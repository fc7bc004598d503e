import type { FileTransfer } from '../../src/api/transfers.ts';

/** A running upload, for tests. */
export function transferOf(change: Partial<FileTransfer> = {}): FileTransfer {
  return {
    number: 1,
    fileName: 'shoes.json',
    totalBytes: 10_000_000,
    receiver: { id: 'u1', email: 'uma@example.com' },
    senderId: 'a1',
    check: { state: 'running', bytes: 0, keywords: 0, nodes: 0 },
    movingSinceMs: 0,
    samples: [],
    state: 'receiving',
    share: 0,
    ...change,
  };
}
