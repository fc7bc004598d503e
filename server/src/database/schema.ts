import type { AccountTables } from './account-tables.ts';
import type { AvatarTables } from './avatars-table.ts';
import type { SettingsTables } from './settings-table.ts';
import type { VisualizationTables } from './visualization-tables.ts';

/** Every table of the product, one file of row types a feature. */
export type Database = AccountTables & AvatarTables & SettingsTables & VisualizationTables;
