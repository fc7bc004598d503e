import { textsOf } from './catalogue.ts';
import { draftMessages } from './draft-messages.ts';
import { listMessages } from './list-messages.ts';
import { type MessageCode as CommonCode, messages as commonMessages } from './messages.ts';

/**
 * Every text that is shown because something happened, those about keyword lists and drafts included. Screens that have
 * nothing to do with these import `messages.ts` alone.
 */
export const messages = { ...commonMessages, ...listMessages, ...draftMessages };

export type MessageCode = CommonCode | keyof typeof listMessages | keyof typeof draftMessages;

export const { say, sayRefusal } = textsOf(messages);
