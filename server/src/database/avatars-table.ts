import type { ColumnType } from 'kysely';

type Time = ColumnType<Date, Date, Date>;

/** The result of looking up a user's picture. One row per user who was looked up. */
export type AvatarRow = {
  account_id: string;
  looked_up_at: Time;
  look_again_at: Time;
  /** The account's `photo_url` at that time. A different one is looked up immediately. */
  asked_photo_url: string | null;
  /** The downloaded bytes, their type and a strong validator; all null if there is none. */
  picture: Buffer | null;
  content_type: PictureType | null;
  etag: string | null;
};

export type PictureType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

export type AvatarTables = { avatars: AvatarRow };
