import type { Feature } from '#server/feature.ts'
import { openFollowerEmails } from './emails.ts'
import { followerPages } from './pages.ts'
import { changeReaders, exportReaders, forgetFollower, readReaders } from './service.ts'
import { followerSweep, queueingOfFollowerEmails } from './tasks.ts'

export const followerFeature: Feature = {
  name: 'followers',
  routes: ({ serve, deps }) => {
    serve('readReaders', ({ caller, params }) => readReaders(deps, caller, params.projectId))
    serve('changeReaders', ({ caller, params, body }) => changeReaders(deps, caller, params.projectId, body))
  },
  pages: followerPages,
  tasks: (deps) => [queueingOfFollowerEmails(deps), followerSweep(deps)],
  emailQueues: {
    followers: { open: openFollowerEmails, limited: 'requests to follow by email' },
  },
  exportProject: exportReaders,
  forget: forgetFollower,
  tables: {
    reader_settings: { exported: 'projects.readers', forgotten: 'cascade', trash: 'parent' },
    reader_news: { exported: { not: 'marks of what is new' }, forgotten: 'cascade', trash: 'parent' },
    followers: {
      exported: { not: 'addresses of others, which the owner does not see; only their number' },
      forgotten: 'cascade',
      trash: 'parent',
    },
    follower_emails: { exported: { not: 'marks of what was sent' }, forgotten: 'cascade', trash: 'parent' },
  },
  functions: ['reader_settings_changed'],
}
