import type { ColumnType, JSONColumnType } from 'kysely';

/** A column that is never null, and that a new row has to name. */
export type Time = ColumnType<Date, Date, Date>;
/** A column that is null unless a row names it. */
export type Optional<Value> = ColumnType<Value | null, Value | null | undefined, Value | null>;
export type OptionalTime = Optional<Date>;
/** A column that has another value unless a row names it. */
export type Defaulted<Value> = ColumnType<Value, Value | undefined, Value>;
/** JSON, which is written as text. */
export type Json<Value> = ColumnType<Value, string, string>;
export type OptionalJson<Value extends object> = JSONColumnType<Value | null, string | null | undefined, string | null>;
