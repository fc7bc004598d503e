import type { ColumnType } from 'kysely';

type Time = ColumnType<Date, Date, Date>;

/** What looking for a person's picture came to. One row a person who was looked for. */
export type AvatarRow = {
  account_id: string;
  looked_up_at: Time;
  look_again_at: Time;
  /** The account's `photo_url` of that time: another one is looked at without waiting. */
  asked_photo_url: string | null;
  /** The bytes as they were served, with what they are and a strong validator; null together: there is none. */
  picture: Buffer | null;
  content_type: PictureType | null;
  etag: string | null;
};

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

export type AvatarTables = { avatars: AvatarRow };
