/** Runs before each file of component tests: the page as a browser shows it, and what every test starts and ends with. */
import '../../src/styles.css';
// The order matters: what the application reads when it loads is replaced first.
import './no-developer-tools.ts';
import './problems.ts';
import './fake-api.ts';
import './fake-events.ts';
import './fake-sending.ts';
import './at-rest.ts';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { noTransfers, useTransfers } from '../../src/api/transfers.ts';
import { forgetHandlers } from './fake-api.ts';
import { closeApp } from './open-app.tsx';
import { takeProblems } from './problems.ts';

const place = location.href;

// Motion is off: the router then shows the next page at once.
Object.defineProperty(document, 'startViewTransition', { value: undefined, configurable: true });

beforeEach(() => {
  // As `/theme.js` leaves the first page, too.
  document.documentElement.dataset.theme = 'light';
  // The first steps open by themselves until they have been seen.
  localStorage.setItem('explorer-first-steps', 'seen');
});

afterEach(async () => {
  vi.useRealTimers();
  await closeApp();
  forgetHandlers();
  // Uploads outlive their screen.
  useTransfers.setState(noTransfers);
  localStorage.clear();
  sessionStorage.clear();
  history.replaceState(undefined, '', place);
  expect(takeProblems()).toEqual([]);
});
