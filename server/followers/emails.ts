import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Schema } from '#server/database/rows.ts'
import type { Links } from '#server/files/links.ts'
import type { Jobs, Queue } from '#server/platform/jobs.ts'
import { composeEmail, harmless } from '#server/platform/mail/email.ts'
import { deliver, type Email, type Mail } from '#server/platform/mail/mail.ts'
import { type FollowerEmail, findUnsent, markSent, type News } from './email-store.ts'
import { pathOfStep, readingPathOf } from './links.ts'
import { type Follower, findFollower, type OfLink } from './store.ts'

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
  if (!found || found.news.length === 0) return markSent(deps.db, id, 'nothing left')
  const isAccepted = await deliver(deps, 'an email to a follower', newsEmail(deps, id, found))
  await markSent(deps.db, id, isAccepted ? 'accepted' : 'refused')
}

type ComposeDeps = Pick<SendDeps, 'publicUrl' | 'links'>

type Confirmation = { confirm: string; message: string; follower: Follower }

/** Composes the email that asks somebody to confirm, or that brings the person of a share link its address and asks them. */
function confirmationEmail(deps: ComposeDeps, { confirm, message, follower }: Confirmation): Email {
  const { publicUrl, links } = deps
  const { title: ofProject } = follower.project
  const title = `“${harmless(ofProject)}”`
  const { subject, ...text } = follower.link
    ? textToPerson(deps, confirm, follower, follower.link)
    : {
        subject: `Follow ${title}?`,
        opening: [
          `Somebody, probably you, wants news of the project ${title} at this address (${new URL(publicUrl).host}).`,
          'Press the button on the page to confirm. You then get at most one email a day, when something is new, and can stop them with one press.',
        ],
        action: { label: 'Go to the page', url: publicUrl + pathOfStep(links, 'confirm', confirm) },
        closing: ['If it was not you, ignore this email: nothing else is sent.'],
      }
  return {
    id: `follow-${message}`,
    to: follower.email,
    subject,
    unsubscribe: publicUrl + pathOfStep(links, 'stop', confirm),
    ...composeEmail({ title: subject, ...text }),
  }
}

function textToPerson(
  { publicUrl, links }: ComposeDeps,
  confirm: string,
  { project: { _id, title } }: Follower,
  link: OfLink,
) {
  const name = harmless(link.askedBy || 'Somebody')
  const confirming = publicUrl + pathOfStep(links, 'confirm', confirm)
  return {
    subject: `${name} shares “${harmless(title)}” with you`,
    opening: [
      `${name} lets you read this project on Milepost (${new URL(publicUrl).host}), without an account. The link is yours alone.`,
    ],
    action: { label: 'Read it', url: publicUrl + readingPathOf(links, _id, link) },
    closing: [
      `You can get an email when something is new, at most one a day. Press the button here: ${confirming}`,
      'If you do not know who this is, ignore this email: nothing else is sent.',
    ],
  }
}

/** Composes an email with news. It has the same id whenever it is sent. Its links lead straight to the pages. */
function newsEmail(
  { publicUrl, links }: ComposeDeps,
  id: string,
  { followerId, email, projectId, title: ofProject, news, total, link }: FollowerEmail,
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
      action: actionOf(publicUrl + readingPathOf(links, projectId, link), link ? [] : news),
      closing: [
        `You get at most one email a day, because ${link ? 'this project is shared with you, and you wanted it' : 'you follow this project with this address'}.`,
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
