import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calls } from '#contract/calls.ts'
import type { Call } from '#contract/parts/call.ts'
import { type MailingApp, mailingApp } from '#server/followers/testing.ts'
import { fillIndex, gatherWords } from '#server/search/upkeep.ts'
import { queueNews, sendNews } from '#server/watching/mail/emails.ts'
import { createDeliverer } from '#server/webhooks/deliver.ts'
import type { Message } from '#server/webhooks/send.ts'
import {
  createScene,
  type Reader,
  type Scene,
  type State,
  shownIn,
  type Visibility,
  visibilities,
} from './scene.ts'
import { type Way, ways } from './ways.ts'

/** Calls that read no entries, or only what a test of their own is about: the activity, the trash, links and webhooks. */
const WITHOUT_ENTRIES =
  'readIdentityOptions readMe readAccount previewDeletion listSessions listPasskeys listProofMethods ' +
  'listAccessTokens listImports readImport readInstance readTerms listFailedJobs ' +
  'listPeople listServerInvitations listAuditLog readStats countUsers listDays ' +
  'readNumbers readPermissions readMilestoneSummary readEntryOptions readRevision readDraft ' +
  'readInvitationOptions listCollaborators countUnreadNotifications readWatch listMentionable ' +
  'listActivity listTrash listWebhooks listDeliveries listShareLinks readAddress ' +
  'readReaders readProfile'

let m: MailingApp
const scenes = new Map<Visibility, Scene>()
beforeAll(async () => {
  m = await mailingApp()
  for (const visibility of visibilities) scenes.set(visibility, await createScene(m, visibility))
  await fillIndex(m.t.deps.db)
  await gatherWords(m.t.deps.db)
}, 120_000)
afterAll(() => m.t.close())

const sceneOf = (visibility: Visibility): Scene => {
  const scene = scenes.get(visibility)
  if (!scene) throw new Error(`there is no ${visibility} project`)
  return scene
}

/** What is published, and neither withdrawn nor in the trash. */
const live: readonly State[] = ['published', 'second']
/** What was published once. */
const once: readonly State[] = [...live, 'trashed', 'withdrawn', 'fallen']
const inTrash: readonly State[] = ['trashed', 'fallen']
/** What only its author sees, by the author's role. */
const drafts: { [role: string]: readonly State[] } = {
  owner: ['draft', 'scheduled', 'withdrawn'],
  editor: ['colleague'],
}

/**
 * The rule. What is live is seen by members, by anybody in a project that is not private, and through a link as far as it shows it; of a
 * project in the trash, nobody sees anything.
 */
function maySee({ audience, only, ofWhole }: Way, visibility: Visibility, reader: Reader): readonly State[] {
  if (visibility === 'trashed' || (only === 'public' && visibility !== 'public')) return []
  if (reader.kind === 'link' && audience === 'public pages') return []
  if (reader.kind === 'link' && audience === 'pages')
    return live.filter((state) => reader.shows === 'all' || (reader.shows === state && !ofWhole))
  const asMember = reader.kind === 'account' && reader.role !== null && isByRight(audience)
  const hasAccount = reader.kind === 'account' && reader.name !== 'visitor'
  const asAnybody = audience !== 'members' && (audience !== 'accounts' || hasAccount)
  return asMember || (asAnybody && visibility !== 'private') ? live : []
}

/** Whether a way asks who its reader is. */
const isByRight = (audience: Way['audience']) =>
  audience === 'api' || audience === 'accounts' || audience === 'members'

/** Authors may see their own drafts besides, and the owner the trash. */
function mayAlsoSee(way: Way, visibility: Visibility, reader: Reader): readonly State[] {
  const { audience, only, hasTrash } = way
  const asVisitor = !isByRight(audience) || only !== undefined || reader.kind === 'link'
  if (visibility === 'trashed' || asVisitor) return []
  return [...(drafts[reader.role ?? ''] ?? []), ...(hasTrash && reader.role === 'owner' ? inTrash : [])]
}

describe.each(visibilities)('of a %s project', (visibility) => {
  it.each(ways)(
    '$name shows what its reader may see, and nothing else',
    async (way) => {
      const scene = sceneOf(visibility)
      for (const reader of scene.readers) {
        const shown = shownIn(await way.read(m.t, scene, reader))
        const may = maySee(way, visibility, reader)
        const also = mayAlsoSee(way, visibility, reader)
        const missing = way.isPartial ? [] : may.filter((state) => !shown.includes(state))
        const leaked = shown.filter((state) => !may.includes(state) && !also.includes(state))
        const { name } = reader
        expect({ reader: name, missing, leaked }).toEqual({ reader: name, missing: [], leaked: [] })
      }
    },
    60_000,
  )

  it('the activity tells members alone what was published once, and only the trash has what is in it', async () => {
    const { t } = m
    const { projectId, readers } = sceneOf(visibility)
    for (const reader of readers) {
      if (reader.kind === 'link') continue
      const { headers } = reader.as
      const { name, role } = reader
      const activity = await t.app.inject({ url: `/api/projects/${projectId}/activity`, headers })
      const isTold = visibility !== 'trashed' && role !== null
      expect([name, shownIn(activity.body)]).toEqual([name, isTold ? [...once].toSorted(byState) : []])
      const trash = await t.app.inject({ url: '/api/trash', headers })
      const isOwner = role === 'owner'
      const mayRestore = isOwner || (role !== null && role !== 'viewer' && visibility !== 'trashed')
      const leaked = shownIn(trash.body).filter(
        (state) => !(mayRestore && (state === 'trashed' || state === 'fallen')),
      )
      expect([name, leaked]).toEqual([name, []])
    }
  })
})

const order: readonly State[] = ['published', 'second', 'trashed', 'withdrawn', 'fallen']
const byState = (a: State, b: State) => order.indexOf(a) - order.indexOf(b)

it('are all that the API reads, besides what has no entries', () => {
  const covered = new Set(ways.map(({ name }) => name))
  const reading = Object.entries<Call>(calls).flatMap(([name, { method }]) => (method === 'GET' ? name : []))
  expect(reading.filter((name) => !covered.has(name))).toEqual(WITHOUT_ENTRIES.split(' '))
})

it('a webhook gets the titles that members may read when it is sent, and no other', async () => {
  const messages: Message[] = []
  const deliverer = createDeliverer({
    ...m.t.deps,
    clock: () => new Date(Date.now() + 60_000),
    publicUrl: 'https://milepost.example',
    deliversToWebhooks: true,
    send: async (message) => {
      messages.push(message)
      return { isDelivered: true, isGone: false, text: '204' }
    },
  })
  for (let round = 0; round < 20; round += 1) {
    await deliverer.poll()
    await deliverer.idle()
  }
  for (const [visibility, { webhook }] of scenes) {
    const text = messages.filter(({ url }) => url === webhook).map(({ payload }) => payload)
    const shown = shownIn(text.join('\n'))
    expect([visibility, shown]).toEqual([visibility, visibility === 'trashed' ? [] : live])
  }
})

it('emails to followers, the circle and members have what they may read when these are sent', async () => {
  const { t } = m
  m.sent.length = 0
  await m.after(25)
  const queued: string[] = []
  const queues = { add: async (_trx: unknown, { id }: { id: string }) => void queued.push(id), wake() {} }
  const clock = () => new Date(t.deps.clock().getTime() + 25 * 3_600_000)
  const { emailQueues } = t.deps
  if (!emailQueues) throw new Error('this server sends no mail')
  await queueNews({ ...t.deps, clock, emailQueues: { ...emailQueues, news: queues } })
  const mail = { send: async (email: (typeof m.sent)[number]) => void m.sent.push(email) }
  for (const id of queued) await sendNews({ ...t.deps, mail, publicUrl: 'https://milepost.example' }, id)
  for (const [visibility, { emailed, former }] of scenes) {
    expect([visibility, m.to(former.email)]).toEqual([visibility, []])
    for (const { name, address, wrote } of emailed) {
      const shown = shownIn(
        m
          .to(address)
          .map(({ subject, text, html }) => [subject, text, html].join('\n'))
          .join('\n'),
      )
      const heard = visibility === 'trashed' ? [] : live.filter((state) => state !== wrote)
      expect([visibility, name, shown]).toEqual([visibility, name, heard])
    }
  }
})
