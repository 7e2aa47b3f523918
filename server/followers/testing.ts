import { sql } from 'kysely'
import type { EmailQueues } from '#server/email-queues.ts'
import type { Email, Mail } from '#server/platform/mail/mail.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import { unusedQueues } from '#server/testing/email-queues.ts'
import { sendConfirmation, sendNews } from './emails.ts'
import { queueFollowerEmails } from './tasks.ts'

type Order = Parameters<EmailQueues['followers']['add']>[1]

const publicUrl = 'https://milepost.example'

/** A server that sends mail, whose emails to followers are sent when a test says so, if their queue was woken. */
export async function mailingApp() {
  const queued: Order[] = []
  const sent: Email[] = []
  let woken = 0
  const followers = {
    add: async (_trx: unknown, order: Order) => void queued.push(order),
    wake: () => void (woken = queued.length),
  }
  const t = await testApp({}, { pages: 'built', emails: async () => ({ ...unusedQueues, followers }) })
  const accepting: Mail = { send: async (email) => void sent.push(email) }

  const send = (order: Order, mail = accepting) => {
    const deps = { ...t.deps, mail, publicUrl }
    return 'confirm' in order ? sendConfirmation(deps, order) : sendNews(deps, order.email)
  }
  const sendQueued = async () => {
    for (const order of queued.splice(0, woken)) await send(order)
    woken = 0
  }
  const post = (url: string, form: Record<string, string> = {}, headers: Record<string, string> = {}) =>
    t.app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(form).toString(),
    })
  const pathIn = (email: Email | undefined, start: string) =>
    new RegExp(`${publicUrl}(${start}/[\\w./-]+)`).exec(email?.text ?? '')?.[1] ?? ''
  const ask = (projectId: string, email: string, ip = '192.0.2.1') =>
    t.app.inject({
      method: 'POST',
      url: `/world/${projectId}/follow`,
      remoteAddress: ip,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email }).toString(),
    })
  /** Lets time pass for what the clock of the database decides. */
  const pass = async (hours: number) => {
    const by = sql`make_interval(secs => ${hours * 3600})`
    await sql`update reader_news set created_at = created_at - ${by}`.execute(t.deps.db)
    await sql`update followers set emailed_at = emailed_at - ${by}, created_at = created_at - ${by}`.execute(
      t.deps.db,
    )
    await sql`update follower_emails set created_at = created_at - ${by}`.execute(t.deps.db)
  }
  return {
    t,
    queued,
    sent,
    send,
    sendQueued,
    ask,
    post,
    pass,
    pathIn,
    to: (address: string) => sent.filter((email) => email.to === address),
    queue: () => queueFollowerEmails(t.deps),
    /** Follows with an address, and confirms it. */
    async follow(projectId: string, address: string) {
      await ask(projectId, address)
      await sendQueued()
      const path = pathIn(
        sent.findLast(({ to }) => to === address),
        '/follow',
      )
      await post(path)
      return path
    },
    /** Queues and sends what is due after some hours. */
    async after(hours: number) {
      await pass(hours)
      await queueFollowerEmails(t.deps)
      await sendQueued()
    },
  }
}

export type MailingApp = Awaited<ReturnType<typeof mailingApp>>

/** A project with a milestone. */
export async function aProject(t: TestApp, visibility: 'public' | 'unlisted' | 'private' = 'public') {
  const ada = await t.person({ name: 'Ada' })
  const { _id: projectId } = await t.project(ada, { title: 'Canoe', visibility })
  const { _id: milestoneId } = await t.milestone(ada, projectId)
  return { ada, projectId, milestoneId }
}
