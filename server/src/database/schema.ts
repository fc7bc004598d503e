import type { AccountTables } from './account-tables.ts';
import type { AvatarTables } from './avatars-table.ts';
import type { DraftTables } from './draft-tables.ts';
import type { LinkTables } from './link-tables.ts';
import type { PlanTables } from './plan-tables.ts';
import type { SettingsTables } from './settings-table.ts';
import type { VisualizationTables } from './visualization-tables.ts';
import type { WarningTables } from './warning-tables.ts';

/** All tables of the product. Each feature has a file with its row types. */
export type Database = AccountTables &
  AvatarTables &
  DraftTables &
  LinkTables &
  PlanTables &
  SettingsTables &
  VisualizationTables &
  WarningTables;
