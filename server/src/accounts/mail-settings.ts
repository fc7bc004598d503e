import type { MailKind, MailSettings } from '@kc/rules/mail-api';
import type { Db, Queryable } from '../database/open.ts';
import { api, personOf } from './require.ts';

/** The contract's calls about the emails that a person gets. */
export function mailSettingsRoutes(db: Db) {
  return {
    mails: {
      settings: api.mails.settings.handler(({ context }) => settingsOf(db, personOf(context).account.id)),
      changeSettings: api.mails.changeSettings.handler(async ({ input, context }) => {
        await db
          .insertInto('mail_settings')
          .values({ account_id: personOf(context).account.id, ...input })
          .onConflict((conflict) => conflict.column('account_id').doUpdateSet(input))
          .execute();
        return input;
      }),
    },
  };
}

/** Whether an account has not switched off the emails of a kind. */
export async function wantsMail(db: Queryable, accountId: string, kind: MailKind): Promise<boolean> {
  return (await settingsOf(db, accountId))[kind];
}

/** All emails, unless the account has chosen otherwise. */
async function settingsOf(db: Queryable, accountId: string): Promise<MailSettings> {
  const row = await db
    .selectFrom('mail_settings')
    .select(['imports', 'assignments'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row ?? { imports: true, assignments: true };
}
