import type { DefaultDepth, RefreshInterval } from '@kc/rules/settings';

/** One row, inserted by the migration. */
export type SettingsRow = {
  version: number;
  default_depth: DefaultDepth;
  auto_expand: boolean;
  open_registration: boolean;
  auto_approve: boolean;
  dark_mode: boolean;
  data_refresh_interval: RefreshInterval;
  user_imports: boolean;
  max_user_visualizations: number;
  max_user_import_mb: number;
  client_links: boolean;
  theme_chosen: boolean;
  policy_enforced: boolean;
};

export type SettingsTables = { settings: SettingsRow };
