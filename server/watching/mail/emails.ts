import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import { v7 as uuidv7 } from 'uuid'
import { HOUR_MS } from '#contract/parts/durations.ts'
import type { Schema } from '#server/database/rows.ts'
import type { Links } from '#server/files/links.ts'
import { messageOf } from '#server/notifications/message.ts'
import type { Events } from '#server/platform/events/events.ts'
import type { Jobs, Queue } from '#server/platform/jobs.ts'
import { composeEmail, harmlessSentence } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import { deleteInBatches, type ScheduledTask } from '#server/platform/schedule.ts'
import { transact } from '#server/platform/transact.ts'
import { pathOfStopping } from './stopping.ts'
import {
  deleteEmails,
  type EmailKind,
  findUnsent,
  listDaily,
  listMentioned,
  markSent,
  type NewsEmail,
  takeNews,
} from './store.ts'

export type NewsEmails = Queue<{ id: string }>

const EVERY_MS = 10_000
const BATCH = 200
const LINES_MAX = 50
/** The maximum number of characters of a line. */
const LINE_MAX = 300
const KEPT_MS = 30 * 24 * 60 * 60_000

/** Opens the queue of emails with news. Only servers that send mail have it. */
export const openNewsEmails = (deps: SendDeps & { jobs: Jobs }): Promise<NewsEmails> =>
  deps.jobs.queue<{ id: string }>('news-emails', ({ id }) => sendNews(deps, id))

type SendDeps = {
  db: Kysely<Schema>
  mail: Mail
  log: Logger
  clock: () => Date
  publicUrl: string
  links: Pick<Links, 'sign'>
}

/** Sends an email with what its person may hear at this moment, unless it was sent or nothing is left of it. */
export async function sendNews(deps: SendDeps, id: string): Promise<void> {
  const { db, mail, log, clock } = deps
  const found = await findUnsent(db, id, LINES_MAX)
  if (!found) return
  if (found.news.length > 0) await deliver({ mail, log }, 'an email with news', newsEmail(deps, id, found))
  await markSent(db, id, clock())
}

type TaskDeps = {
  db: Kysely<Schema>
  events: Events
  clock: () => Date
  emailQueues: { news: NewsEmails } | undefined
}

/** Queues the emails that are due. Any number of servers may run it at once. */
export const queueingOfNews = (deps: TaskDeps): ScheduledTask => ({
  name: 'queueing of emails with news',
  everyMs: EVERY_MS,
  run: (stop) => queueNews(deps, stop),
})

export async function queueNews(deps: TaskDeps, stop?: AbortSignal): Promise<void> {
  const { db, clock, emailQueues } = deps
  if (!emailQueues) return
  const kinds: [EmailKind, typeof listDaily][] = [
    ['mention', listMentioned],
    ['daily', listDaily],
  ]
  for (const [kind, list] of kinds) {
    for (const userId of await list(db, { now: clock(), limit: BATCH })) {
      if (stop?.aborted) return
      await transact(deps, async (trx) => {
        const id = uuidv7()
        if (await takeNews(trx, { id, userId, kind, now: clock() })) await emailQueues.news.add(trx, { id })
      })
    }
  }
  emailQueues.news.wake()
}

/** Removes the records of old emails. */
export const newsEmailSweep = ({ db, clock }: TaskDeps): ScheduledTask => ({
  name: 'removal of records of emails with news',
  everyMs: HOUR_MS,
  run: (stop) => {
    const before = new Date(clock().getTime() - KEPT_MS)
    const batches = { name: 'news email sweep', batchSize: BATCH, ...(stop && { stop }) }
    return deleteInBatches(db, batches, (trx) => deleteEmails(trx, before, BATCH))
  },
})

/** Composes an email with news. It has the same id whenever it is sent. */
function newsEmail(
  { publicUrl, links }: Pick<SendDeps, 'publicUrl' | 'links'>,
  id: string,
  { userId, kind, email, news }: NewsEmail,
): Email {
  const isMention = kind === 'mention'
  const unsubscribe = publicUrl + pathOfStopping(links, userId, kind)
  const title = isMention ? 'You are mentioned' : 'News of your projects'
  return {
    id: `news-${id}`,
    to: email,
    subject: `${title} on Milepost`,
    unsubscribe,
    ...composeEmail({
      title,
      opening: news.map((one) => harmlessSentence(messageOf(one), LINE_MAX)),
      action: actionOf(publicUrl, news),
      closing: [
        isMention
          ? 'You get this email at once, as you chose in your settings.'
          : 'You get this email at most once a day. Your settings have its hour, and each project what you hear of it.',
        `Stop these emails: ${unsubscribe}`,
      ],
    }),
  }
}

function actionOf(publicUrl: string, news: NewsEmail['news']) {
  const [first, ...others] = news
  const { projectId, milestoneId, entryId } = first?.data ?? {}
  if (others.some(({ data }) => data.projectId !== projectId))
    return { label: 'See your projects', url: `${publicUrl}/dashboard` }
  const project = `${publicUrl}/projects/${projectId}`
  return others.length === 0 && first?.count === 1 && entryId !== undefined
    ? { label: 'Read the entry', url: `${project}/milestones/${milestoneId}/entries/${entryId}` }
    : { label: 'See the project', url: project }
}
