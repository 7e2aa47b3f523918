import { createElement as h } from 'react'
import { renderToString } from 'react-dom/server'
import type { WorldPage } from '#contract/world.ts'

/**
 * What React costs by itself: is sent what a public project's page shows, then again and again how many
 * times to render it, each time saying when it is done.
 */
process.once('message', (content: WorldPage) => {
  process.on('message', (count: number) => {
    for (let time = 0; time < count; time += 1) renderToString(page(content))
    process.send?.('done')
  })
})

function page({ project, milestones, shown }: WorldPage) {
  return h('main', null, [
    h('h1', { key: 'title' }, project.title),
    h('p', { key: 'owner' }, project.user.name),
    h('p', { key: 'about' }, project.description),
    h(
      'ol',
      { key: 'trail' },
      milestones.map(({ _id, title }) => h('li', { key: _id }, title)),
    ),
    h('p', { key: 'shown' }, shown?.description),
    h('ul', { key: 'entries' }, shown?.entries.map(line)),
  ])
}

function line({ _id, title, createdAt, tags, excerpt }: NonNullable<WorldPage['shown']>['entries'][number]) {
  return h('li', { key: _id }, [
    h('h3', { key: 'title' }, h('a', { href: `/entries/${_id}` }, title)),
    h('time', { key: 'time', dateTime: createdAt }, createdAt),
    h('p', { key: 'text' }, excerpt),
    h('p', { key: 'tags' }, tags.join(', ')),
  ])
}
