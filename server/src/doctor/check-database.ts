import pg from 'pg';
import type { CommandDatabase } from '../database/start.ts';
import { isOlder } from './check-machine.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

const about = 'database';
const leastVersion = 150_000;
/** The first PostgreSQL 18 without a security flaw that is known. Other majors have numbers of their own. */
const sound18 = '18.7';
/** Connections of one server: its pool, jobs, locks and notifications. */
const connectionsPerServer = 40;
const tolerableMs = 5_000;

type Facts = {
  readonly version: number;
  readonly name: string;
  readonly fsync: string;
  readonly synchronous: string;
  readonly most: number;
  readonly used: number;
  readonly superuser: boolean;
  readonly aheadMs: number;
  readonly bytes: number;
};

/** Version, durability, rights, connections and clock of the database. @param now the machine's clock */
export async function checkDatabase({ app }: CommandDatabase, now: () => number): Promise<Finding[]> {
  const client = new pg.Client({ ...app, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    const { rows } = await client.query<Facts>(
      `
      select current_setting('server_version_num')::int as version, current_setting('server_version') as name,
        current_setting('fsync') as fsync, current_setting('synchronous_commit') as synchronous,
        current_setting('max_connections')::int as most,
        (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as used,
        (select rolsuper from pg_roles where rolname = current_user) as superuser,
        (extract(epoch from clock_timestamp()) * 1000)::float8 - $1::float8 as "aheadMs",
        pg_database_size(current_database())::float8 as bytes
    `,
      [now()],
    );
    return findingsOf(rows[0]!);
  } finally {
    await client.end();
  }
}

function findingsOf({ version, name, fsync, synchronous, most, used, superuser, aheadMs, bytes }: Facts): Finding[] {
  const free = most - used;
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return [
    versionFinding(version, name, bytes),
    fsync === 'on' && synchronous !== 'off'
      ? ok('durability', 'What is acknowledged survives a power failure: fsync is on, and commits wait for it')
      : problem(
          'durability',
          `A power failure can lose what was acknowledged: fsync is ${fsync}, synchronous_commit is ${synchronous}`,
        ),
    free < connectionsPerServer
      ? warning(about, `${used} of ${most} connections are in use. A server needs up to ${connectionsPerServer}`)
      : ok(about, `${used} of ${most} connections are in use`),
    ...(superuser
      ? [warning(about, 'The user of DATABASE_URL is a superuser. One that owns the database is enough')]
      : []),
    Math.abs(aheadMs) > tolerableMs
      ? warning(
          'clock',
          `This machine's clock is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the database's, which counts`,
        )
      : ok('clock', "This machine's clock agrees with the database's"),
  ];
}

/** @param version `server_version_num` @param name `server_version`, which may end with a distribution's words */
export function versionFinding(version: number, name: string, bytes: number): Finding {
  if (version < leastVersion) return problem(about, `PostgreSQL ${name} is too old: version 15 or newer is needed`);
  if (Math.floor(version / 10_000) === 18 && isOlder(name, sound18))
    return warning(
      about,
      `PostgreSQL ${name} has known security flaws: use ${sound18} or newer, with DATABASE_URL or POSTGRES_BIN`,
    );
  return ok(about, `PostgreSQL ${name}, ${Math.round(bytes / 2 ** 20)} MiB`);
}
