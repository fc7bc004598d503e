import { textsOf } from './catalogue.ts';
import { draftMessages } from './draft-messages.ts';
import { explorerMessages } from './explorer-messages.ts';
import { linkMessages } from './link-messages.ts';
import { listMessages } from './list-messages.ts';
import { type MessageCode as CommonCode, messages as commonMessages } from './messages.ts';
import { planMessages } from './plan-messages.ts';
import { scoreMessages } from './score-messages.ts';
import { warningMessages } from './warning-messages.ts';

/**
 * Every text that is shown because something happened, including those about parts of the explorer, keyword lists, drafts,
 * links, plans, scores and warnings. Screens that have nothing to do with these import `messages.ts` alone.
 */
export const messages = {
  ...commonMessages,
  ...explorerMessages,
  ...linkMessages,
  ...listMessages,
  ...draftMessages,
  ...planMessages,
  ...scoreMessages,
  ...warningMessages,
};

export type MessageCode =
  | CommonCode
  | keyof typeof explorerMessages
  | keyof typeof linkMessages
  | keyof typeof listMessages
  | keyof typeof draftMessages
  | keyof typeof planMessages
  | keyof typeof scoreMessages
  | keyof typeof warningMessages;

export const { say, sayRefusal } = textsOf(messages);
