import { Kysely, PostgresDialect, type QueryExecutorProvider, sql } from 'kysely';
import { type Migration, Migrator } from 'kysely/migration';
import pg from 'pg';
import { firstMigrations, type Migrations } from './migrations-1.ts';
import { laterMigrations } from './migrations-2.ts';
import { surviveLostConnections } from './open.ts';

/** In order. */
export const migrations: Migrations = { ...firstMigrations, ...laterMigrations };

/** The migration that made the table in which this one and later ones are noted. */
const firstNoted = '049-schema-changes';

/** The names of all schemas so far, oldest first: each is what its migration leads to. */
export const schemas: readonly string[] = Object.keys(migrations);

/** Whether this version of the product knows the schema that ends with this migration. */
export const knowsSchema = (name: string): boolean => Object.hasOwn(migrations, name);

/**
 * Why this version cannot work with the schema as it is; `undefined` if it can. A newer version may have added to it, and says in
 * `schema_changes` which versions can work with its changes.
 */
export async function schemaFault(db: QueryExecutorProvider): Promise<string | undefined> {
  const { rows } = await sql<{ name: string; noted: boolean; needs: string | null }>`
    select m.name, c.name is not null as noted, c.needs
    from kysely_migration m left join schema_changes c on c.name = m.name order by m.name`.execute(db);
  const strange = rows.find(
    ({ name, noted, needs }) => !(knowsSchema(name) || (noted && (needs === null || knowsSchema(needs)))),
  );
  if (strange) return `A newer version has migrated the database to ${strange.name}, with which this one cannot work`;
  const lacking = schemas.find((name) => !rows.some((row) => row.name === name));
  return lacking && `The database lacks the migration ${lacking}`;
}

/** The migrations, each of which records in its own transaction which versions can work after it. */
function notedMigrations(): Record<string, Migration> {
  const note = async (db: Kysely<unknown>, name: string, needs: string | undefined): Promise<void> => {
    if (schemas.indexOf(name) < schemas.indexOf(firstNoted)) return;
    await sql`insert into schema_changes (name, needs) values (${name}, ${needs ?? null})`.execute(db);
  };
  return Object.fromEntries(
    Object.entries(migrations).map(([name, step]) => [
      name,
      {
        async up(db: Kysely<unknown>) {
          await step.up(db);
          await note(db, name, step.contract?.schema);
        },
      },
    ]),
  );
}

/**
 * Migrates the schema as the role that owns it, then grants the server's role what it needs. If several servers do so
 * at once, one migrates and the others wait. A schema to which a newer version has only added is left as it is.
 *
 * @param prepare what a library creates for itself as the owner, for example its job tables
 * @param to the last migration to run; all of them by default
 * @throws if a migration fails, or the database is newer than this server
 */
export async function migrate(
  owner: pg.ClientConfig,
  appRole: string,
  prepare?: (owner: pg.ClientConfig, appRole: string) => Promise<void>,
  to?: string,
): Promise<void> {
  const pool = new pg.Pool({ ...owner, max: 2 });
  surviveLostConnections(pool, () => undefined);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  try {
    const migrator = new Migrator({ db, provider: { getMigrations: async () => notedMigrations() } });
    const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
    if (error && isNewer(error) && (await canGoOn(db))) return;
    if (error) throw asFault(error);
    await oneAtATime(pool, async () => {
      await prepare?.(owner, appRole);
      if (appRole !== owner.user) await grant(pool, appRole);
    });
  } finally {
    await db.destroy();
  }
}

/** Of servers that start together, one grants at a time: of two that grant rights on one table, PostgreSQL lets one fail. */
async function oneAtATime(pool: pg.Pool, work: () => Promise<void>): Promise<void> {
  const holder = await pool.connect();
  try {
    await holder.query(`select pg_advisory_lock(hashtextextended('rights of the server', 0))`);
    await work();
  } finally {
    // The lock is that of the connection.
    holder.release(true);
  }
}

const isNewer = (error: unknown): boolean => error instanceof Error && /corrupted migrations/.test(error.message);

/** A database that was never migrated this far has no notes to read. */
const canGoOn = (db: QueryExecutorProvider): Promise<boolean> =>
  schemaFault(db).then(
    (fault) => fault === undefined,
    () => false,
  );

function asFault(error: unknown): Error {
  const text = error instanceof Error ? error.message : String(error);
  if (isNewer(error)) {
    return new Error(
      'The database was made by a newer version of this server. Start that version, or restore a backup.',
    );
  }
  return new Error(`The database could not be brought up to date: ${text}`, { cause: error });
}

/**
 * The server's role reads and writes rows. It owns nothing and cannot change the audit log, a plan's history, or the
 * identity of the database.
 */
async function grant(pool: pg.Pool, appRole: string): Promise<void> {
  const role = pg.escapeIdentifier(appRole);
  // A schema that is migrated only so far may not have all of them yet.
  const { rows } = await pool.query<{ name: string }>(
    `select name from unnest(array['plan_changes', 'database_identity', 'schema_changes']) as name
     where to_regclass(name) is not null`,
  );
  const has = (name: string): boolean => rows.some((row) => row.name === name);
  const onlyAppended = has('plan_changes') ? 'audit_log, plan_changes' : 'audit_log';
  const onlyRead = [
    'kysely_migration',
    'kysely_migration_lock',
    ...['database_identity', 'schema_changes'].filter(has),
  ];
  await pool.query(`
    grant usage on schema public to ${role};
    grant select, insert, update, delete on all tables in schema public to ${role};
    grant usage on all sequences in schema public to ${role};
    revoke insert, update, delete on ${onlyRead.join(', ')} from ${role};
    revoke update, delete, truncate on ${onlyAppended} from ${role};
  `);
}
