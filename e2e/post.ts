import { type MailSink, mailSink } from '#server/platform/mail/testing.ts'
import { test as base } from './journey.ts'
import { type RunningServer, startServer } from './start-server.ts'

export type Post = RunningServer & {
  sink: MailSink
  /** Where the mail server listens. */
  mailPort: number
  /** The path of the confirmation link in the first email to an address. */
  linkTo(email: string): Promise<string>
}

/** A journey on a server that sends mail, where an address counts only once it is confirmed. */
export const test = base.extend<object, { post: Post }>({
  post: [
    async ({}, use) => {
      const sink = await mailSink()
      const { host, port } = sink.settings().server
      const settings = { SMTP_URL: `smtp://${host}:${port}`, MAIL_FROM: 'Milepost <post@example.test>' }
      const server = await startServer(settings)
      const linkTo = async (email: string) => pathIn((await sink.letterTo(email)).content, 'verify-email')
      await use({ ...server, sink, mailPort: port, linkTo })
      await server.stop()
      await sink.stop()
    },
    { scope: 'worker' },
  ],
  baseURL: ({ post }, use) => use(post.url),
})

/** The path of the link in a email that leads below `/{room}/`; nothing where there is none. */
export const pathIn = (email: string | undefined, room: string): string =>
  new RegExp(`http://localhost:\\d+(/${room}/[\\w-]+)`).exec(email ?? '')?.[1] ?? ''
