import { expect, test } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): string[] {
  const lines: string[] = [];
  write(createLog('INFO', { write: (line) => lines.push(line) }));
  return lines;
}

test('SEC-26 a line is one JSON object with a level and a time in UTC', () => {
  const [line] = logged((log) => log.warn({ event: 'sign-in' }, 'two\nlines\u001b[31m'));
  expect(line?.trimEnd()).not.toContain('\n');
  expect(JSON.parse(line!)).toMatchObject({ level: 'WARN', event: 'sign-in', time: expect.stringMatching(/Z$/) });
});

test('SEC-26 extra properties of errors and secrets are not logged', () => {
  const error = Object.assign(new Error('broke'), { code: '57P01', client: { password: 'canary' } });
  const text = logged((log) => {
    log.error({ err: error, token: 'canary' }, 'failed');
    log.error({ err: new Error('outer', { cause: error }), person: { password: 'canary' } }, 'failed');
  }).join('');
  expect(text).toContain('57P01');
  expect(text).not.toContain('canary');
});

test('a thrown object that is no error is logged by its message, or by the names of its properties', () => {
  const [reported, bare, text] = logged((log) => {
    log.error({
      err: { message: 'connection ended', code: '57P01', queue: 'ingest', connection: { password: 'canary' } },
    });
    log.error({ err: { queue: 'ingest' } });
    log.error({ err: 'stopped' });
  });
  expect(JSON.parse(reported!).err).toMatchObject({ message: 'connection ended', code: '57P01' });
  expect(JSON.parse(bare!).err.message).toBe('an object with queue');
  expect(JSON.parse(text!).err.message).toBe('stopped');
  expect(reported).not.toContain('canary');
});

test('lines below the level are not written', () => {
  expect(logged((log) => log.debug('quiet'))).toEqual([]);
});
