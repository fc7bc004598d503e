import { CompiledQuery } from 'kysely';
import pg from 'pg';

const names = new Map<string, string>();

/**
 * A prepared statement for frequent queries: PostgreSQL parses and plans it once per connection. It lists its columns,
 * because the result of a prepared `select *` must not change, and a migration would change it.
 *
 * @returns the statement with its values, for `executeQuery`
 */
export function prepared<Row>(name: string, text: string): (...values: readonly unknown[]) => CompiledQuery<Row> {
  names.set(text, name);
  return (...values) => CompiledQuery.raw(text, [...values]) as CompiledQuery<Row>;
}

/** A connection that knows which statements are {@link prepared}. */
export class PreparingClient extends pg.Client {
  /** Covers all overloads of the driver: a known text is sent with its name, anything else unchanged. */
  override query(...asked: never[]): never {
    const [text, values]: readonly unknown[] = asked;
    const name = typeof text === 'string' ? names.get(text) : undefined;
    const named = [{ name, text, values }] as never[];
    return Reflect.apply(super.query, this, name ? named : asked) as never;
  }
}
