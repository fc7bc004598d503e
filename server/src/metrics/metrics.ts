import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { QueryWatch } from '../visualizations/query/query-thread.ts';

/** What this server counts about itself, in the form of Prometheus. Labels never hold what a user chose. */
export type Metrics = QueryWatch & {
  readonly registry: Registry;
  /** @param call the route, or the name of a call of the contract: there are finitely many */
  answered(method: string, call: string, status: number, seconds: number): void;
  /** A line of the log about something that has a name: a refusal for lack of room, an attempt that is repeated. */
  logged(level: string, event: string): void;
};

const seconds = [0.001, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 15, 60];

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Histogram({
    name: 'kc_http_request_duration_seconds',
    help: 'From the headers of a request to the end of its response',
    labelNames: ['method', 'call', 'status'],
    buckets: seconds,
    registers,
  });
  const queries = new Histogram({
    name: 'kc_query_duration_seconds',
    help: 'Queries on packs, waiting for the query thread included',
    labelNames: ['question'],
    buckets: seconds,
    registers,
  });
  const openPacks = new Gauge({ name: 'kc_packs_open', help: 'Packs that the query thread has open', registers });
  const packsOpened = new Gauge({
    name: 'kc_packs_opened',
    help: 'Packs opened since the query thread began',
    registers,
  });
  const lines = new Counter({
    name: 'kc_log_events_total',
    help: 'Log lines by level and event',
    labelNames: ['level', 'event'],
    registers,
  });
  return {
    registry,
    answered: (method, call, status, took) => requests.observe({ method, call, status: String(status) }, took),
    queryAnswered: (question, took) => queries.observe({ question }, took),
    packsChanged({ open, opened }) {
      openPacks.set(open);
      packsOpened.set(opened);
    },
    logged: (level, event) => lines.inc({ level, event }),
  };
}
