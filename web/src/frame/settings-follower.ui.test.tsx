import { expect, test, vi } from 'vitest';
import { atRest } from '../../test/page/at-rest.ts';
import { runFor, stopClock } from '../../test/page/clock.ts';
import { failsFor, fakeApi, gate } from '../../test/page/fake-api.ts';
import { asksForStream, holdStreams, isHeard, serverSays, streamsBreak } from '../../test/page/fake-events.ts';
import { anotherServer } from '../../test/page/fake-times.ts';
import { openApp, screenSettings, sessionOf } from '../../test/page/open-app.tsx';

/** Opens the list of visualizations. @returns how often each call was asked since it was last read */
async function openCounted() {
  const session = vi.fn(() => sessionOf('approved'));
  const settings = vi.fn(() => screenSettings);
  const visualizations = vi.fn((): [] => []);
  const api = { 'session.get': session, 'settings.screen': settings, 'visualizations.list': visualizations };
  await openApp('/visualization', { as: 'approved', api: { ...api, 'drafts.list': () => [] } });
  await expect.poll(asksForStream).toBe(true);
  await atRest();
  return () => {
    const counts = {
      session: session.mock.calls.length,
      settings: settings.mock.calls.length,
      visualizations: visualizations.mock.calls.length,
    };
    for (const call of [session, settings, visualizations]) call.mockClear();
    return counts;
  };
}

// Shows P17.11.
test('a page that loads asks for everything once', async () => {
  const counts = await openCounted();
  expect(counts()).toEqual({ session: 1, settings: 1, visualizations: 1 });
});

test('what changed between its answer and the opening of the event stream is asked for again, and nothing else', async () => {
  const letOpen = holdStreams();
  const counts = await openCounted();
  expect(counts()).toEqual({ session: 1, settings: 1, visualizations: 1 });
  serverSays('visualizations');
  await atRest();
  expect(counts()).toEqual({ session: 0, settings: 0, visualizations: 0 });
  letOpen();
  await atRest();
  expect(counts()).toEqual({ session: 0, settings: 0, visualizations: 1 });
});

test('an answer that was begun before a change, and comes after the stream is open, is asked for again', async () => {
  const late = gate();
  const list = vi.fn(async (): Promise<[]> => {
    await late.opened;
    return [];
  });
  const letOpen = holdStreams();
  const opening = openApp('/visualization', {
    as: 'approved',
    api: { 'visualizations.list': list, 'drafts.list': () => [] },
  });
  await expect.poll(() => list.mock.calls.length).toBe(1);
  await expect.poll(asksForStream).toBe(true);
  serverSays('visualizations');
  letOpen();
  await atRest();
  late.open();
  await opening;
  await atRest();
  expect(list).toHaveBeenCalledTimes(2);
});

test('a change after the stream is open is asked for, too, while the first answer is still on its way', async () => {
  const late = gate();
  const list = vi.fn(async (): Promise<[]> => {
    if (list.mock.calls.length === 1) await late.opened;
    return [];
  });
  const opening = openApp('/visualization', {
    as: 'approved',
    api: { 'visualizations.list': list, 'drafts.list': () => [] },
  });
  await expect.poll(() => list.mock.calls.length).toBe(1);
  await expect.poll(isHeard).toBe(true);
  await atRest();
  serverSays('visualizations');
  await atRest();
  late.open();
  await opening;
  await expect.poll(() => list.mock.calls.length).toBe(2);
});

test('after the stream broke, only what changed meanwhile is asked for again, beside the session', async () => {
  stopClock();
  const counts = await openCounted();
  counts();
  serverSays('settings');
  await atRest();
  expect(counts()).toEqual({ session: 0, settings: 1, visualizations: 0 });
  streamsBreak();
  serverSays('visualizations');
  await atRest();
  expect(counts()).toEqual({ session: 1, settings: 0, visualizations: 0 });
  await runFor(2_000);
  expect(counts()).toEqual({ session: 0, settings: 0, visualizations: 1 });
});

test('what could not be read after a change is asked for again when the stream opens again', async () => {
  stopClock();
  const counts = await openCounted();
  const back = failsFor('settings.screen');
  serverSays('settings');
  await atRest();
  counts();
  streamsBreak();
  await atRest();
  back();
  await runFor(2_000);
  expect(counts()).toEqual({ session: 1, settings: 1, visualizations: 0 });
});

test('what a server that is briefly unavailable did not give is asked for again while the stream stays open', async () => {
  stopClock();
  const counts = await openCounted();
  const back = failsFor('settings.screen');
  serverSays('settings');
  await atRest();
  await runFor(10_000);
  counts();
  back();
  await runFor(10_000);
  expect(counts()).toMatchObject({ session: 0, settings: 1 });
  await runFor(30_000);
  expect(counts()).toMatchObject({ session: 0, settings: 0 });
});

test('times of another server say nothing, so everything is asked for again', async () => {
  stopClock();
  const counts = await openCounted();
  counts();
  streamsBreak();
  anotherServer();
  await runFor(2_000);
  expect(counts()).toEqual({ session: 2, settings: 1, visualizations: 1 });
});

test('a page whose answers came from several servers asks for everything again', async () => {
  const letOpen = holdStreams();
  const counts = await openCounted();
  fakeApi({ 'drafts.list': () => [] });
  counts();
  anotherServer();
  letOpen();
  await atRest();
  expect(counts()).toEqual({ session: 1, settings: 1, visualizations: 1 });
});
