import type { Feature } from '#server/feature.ts'
import { remindingOfDue } from './due.ts'
import { newsEmailSweep, openNewsEmails, queueingOfNews } from './mail/emails.ts'
import { newsEmailPages } from './mail/pages.ts'
import { watchingRoutes } from './routes.ts'
import { exportWatch } from './service.ts'

export const watchingFeature: Feature = {
  name: 'watching',
  routes: ({ serve, deps }) => watchingRoutes(serve, deps),
  pages: newsEmailPages,
  tasks: (deps) => [remindingOfDue(deps), queueingOfNews(deps), newsEmailSweep(deps)],
  emailQueues: {
    news: { open: openNewsEmails, limited: 'emails with the news of projects' },
  },
  exportProject: exportWatch,
  tables: {
    news_emails: { exported: { not: 'marks of what was sent' }, forgotten: 'cascade' },
    project_watches: { exported: 'projects.watch', forgotten: 'cascade', trash: 'parent' },
    entry_mentions: { exported: { not: 'the texts have the names' }, forgotten: 'cascade', trash: 'parent' },
    milestone_reminders: {
      exported: { not: 'marks of what was sent' },
      forgotten: 'cascade',
      trash: 'parent',
    },
  },
  functions: ['usable_zone'],
}
