import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import type { Links } from '#server/files/links.ts'
import type { Jobs, Queue } from '#server/platform/jobs.ts'
import { composeEmail, harmless } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import { type FollowerEmail, findUnsent, markSent, type News } from './email-store.ts'
import { pathOfStep } from './links.ts'
import { type Follower, findFollower } from './store.ts'

/** `confirm`: asks this follower to confirm, by an email with the id `message`. `email`: one with news. */
type Order = { confirm: string; message: string } | { email: string }

export type FollowerEmails = Queue<Order>

const LINES_MAX = 20
/** The maximum number of characters of a line. */
const LINE_MAX = 200

type SendDeps = {
  db: Kysely<Schema>
  mail: Mail
  log: Logger
  publicUrl: string
  links: Pick<Links, 'sign'>
}

/** Opens the queue of emails to followers. Only servers that send mail have it. */
export const openFollowerEmails = (deps: SendDeps & { jobs: Jobs }): Promise<FollowerEmails> =>
  deps.jobs.queue<Order>('follower-emails', (order) =>
    'confirm' in order ? sendConfirmation(deps, order) : sendNews(deps, order.email),
  )

/** Asks somebody to confirm that they want to follow, unless they have, or the project is no longer public. */
export async function sendConfirmation(
  deps: SendDeps,
  { confirm, message }: { confirm: string; message: string },
): Promise<void> {
  const follower = await findFollower(deps.db, confirm)
  if (!follower || follower.isConfirmed) return
  await deliver(deps, 'an email to a new follower', confirmationEmail(deps, { confirm, message, follower }))
}

/** Sends an email with the news that everybody may read at this moment, unless it was sent. */
export async function sendNews(deps: SendDeps, id: string): Promise<void> {
  const found = await findUnsent(deps.db, id, LINES_MAX)
  if (found && found.news.length > 0)
    await deliver(deps, 'an email to a follower', newsEmail(deps, id, found))
  await markSent(deps.db, id)
}

type ComposeDeps = Pick<SendDeps, 'publicUrl' | 'links'>

function confirmationEmail(
  { publicUrl, links }: ComposeDeps,
  { confirm, message, follower }: { confirm: string; message: string; follower: Follower },
): Email {
  const title = `“${harmless(follower.project.title)}”`
  return {
    id: `follow-${message}`,
    to: follower.email,
    subject: `Follow ${title}?`,
    unsubscribe: publicUrl + pathOfStep(links, 'stop', confirm),
    ...composeEmail({
      title: `Follow ${title}?`,
      opening: [
        `Somebody, probably you, wants news of the project ${title} at this address (${new URL(publicUrl).host}).`,
        'Press the button on the page to confirm. You then get at most one email a day, when something is new, and can stop them with one press.',
      ],
      action: { label: 'Go to the page', url: publicUrl + pathOfStep(links, 'confirm', confirm) },
      closing: ['If it was not you, ignore this email: nothing else is sent.'],
    }),
  }
}

/** Composes an email with news. It has the same id whenever it is sent. Its links lead straight to the pages. */
function newsEmail(
  { publicUrl, links }: ComposeDeps,
  id: string,
  { followerId, email, projectId, title: ofProject, news, total }: FollowerEmail,
): Email {
  const title = `News of “${harmless(ofProject)}”`
  const unsubscribe = publicUrl + pathOfStep(links, 'stop', followerId)
  const more = total - news.length
  return {
    id: `follower-${id}`,
    to: email,
    subject: title,
    unsubscribe,
    ...composeEmail({
      title,
      opening: [...news.map(lineOf), ...(more > 0 ? [`And ${more} more.`] : [])],
      action: actionOf(`${publicUrl}/world/${projectId}`, news),
      closing: [
        'You get at most one email a day, because you follow this project with this address.',
        `Stop these emails: ${unsubscribe}`,
      ],
    }),
  }
}

const lineOf = ({ kind, title }: News) =>
  kind === 'entry'
    ? `“${harmless(title, LINE_MAX)}”`
    : `The milestone “${harmless(title, LINE_MAX)}” is reached.`

function actionOf(project: string, news: News[]) {
  const [first, ...others] = news
  return first?.kind === 'entry' && others.length === 0
    ? { label: 'Read the entry', url: `${project}/entries/${first._id}` }
    : { label: 'See the project', url: project }
}
