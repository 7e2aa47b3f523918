import type { EmailQueues } from '#server/email-queues.ts'

const unused = { add: async () => undefined, wake() {} }

/** Queues of emails that send nothing. */
export const unusedQueues: EmailQueues = {
  invitations: unused,
  leaving: unused,
  accessTokens: unused,
  serverInvitations: unused,
  approvals: unused,
  news: unused,
  followers: unused,
}
