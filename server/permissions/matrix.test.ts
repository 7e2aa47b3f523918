import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallName, calls } from '#contract/calls.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Sender } from '#server/testing/client.ts'
import { can, table } from './table.ts'

const who = ['owner', 'admin', 'editor', 'viewer', 'stranger', 'visitor'] as const
type Who = (typeof who)[number]
type Row = Record<Who, number>

const row = (
  statuses: [owner: number, admin: number, editor: number, viewer: number, stranger: number, visitor: number],
): Row => Object.fromEntries(who.map((name, index) => [name, statuses[index]])) as Row

/** What each call answers in a private project, by who sends it. */
const inPrivate: Partial<Record<CallName, Row>> = {
  readProject: row([200, 200, 200, 200, 404, 404]),
  updateProject: row([200, 200, 403, 403, 404, 401]),
  deleteProject: row([204, 403, 403, 403, 404, 401]),
  readPermissions: row([200, 200, 200, 200, 200, 200]),
  listMilestones: row([200, 200, 200, 200, 404, 404]),
  createMilestone: row([201, 201, 201, 403, 404, 401]),
  updateMilestone: row([200, 200, 200, 403, 404, 401]),
  deleteMilestone: row([204, 204, 204, 403, 404, 401]),
  listEntries: row([200, 200, 200, 200, 404, 404]),
  readEntry: row([200, 200, 200, 200, 404, 404]),
  createEntry: row([201, 201, 201, 403, 404, 401]),
  updateEntry: row([200, 200, 200, 403, 404, 401]),
  deleteEntry: row([204, 204, 204, 403, 404, 401]),
  readWorld: row([404, 404, 404, 404, 404, 404]),
  readWorldPage: row([404, 404, 404, 404, 404, 404]),
  readWorldEntry: row([404, 404, 404, 404, 404, 404]),
}

/** What changes once it is public: anybody may view, and who may view but not act is told so. */
const inPublic: typeof inPrivate = Object.fromEntries(
  Object.entries(inPrivate).map(([name, statuses]) => {
    if (name.startsWith('readWorld')) return [name, row([200, 200, 200, 200, 200, 200])]
    const stranger = statuses.viewer
    return [name, { ...statuses, stranger, visitor: statuses.visitor === 404 ? 200 : statuses.visitor }]
  }),
)

const outsideProjects: CallName[] = [
  'exchangeToken',
  'readIdentityOptions',
  'readEntryOptions',
  'readMe',
  'signOut',
  'readStats',
  'countUsers',
  'listProjects',
  'createProject',
  'listNotifications',
  'countUnreadNotifications',
  'markNotificationRead',
  'markAllNotificationsRead',
  'deleteNotification',
]

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

async function statusOf(name: CallName, sender: Who, isPublic: boolean): Promise<number> {
  const owner = await t.person()
  const project = await t.project(owner, { isPublic })
  const milestone = await t.milestone(owner, project._id)
  const entry = await t.entry(owner, milestone._id)
  const senders: Record<Who, () => Promise<Sender | undefined>> = {
    owner: async () => owner,
    admin: () => t.member(project._id, 'admin'),
    editor: () => t.member(project._id, 'editor'),
    viewer: () => t.member(project._id, 'viewer'),
    stranger: () => t.person(),
    visitor: async () => undefined,
  }
  const { method, path } = calls[name]
  const url = path
    .replace(':projectId', project._id)
    .replace(':milestoneId', milestone._id)
    .replace(':entryId', entry._id)
  const payload = { title: 'x', description: 'y', content: 'z' }
  const as = await senders[sender]()
  const response = await t.app.inject({
    method,
    url,
    headers: as?.headers ?? {},
    ...(method === 'POST' || method === 'PUT' ? { payload } : {}),
  })
  return response.statusCode
}

describe('who may do what', () => {
  it('covers every call', () => {
    expect(Object.keys(calls).toSorted()).toEqual([...Object.keys(inPrivate), ...outsideProjects].toSorted())
  })

  for (const [title, rows, isPublic] of [
    ['a private project', inPrivate, false],
    ['a public project', inPublic, true],
  ] as const) {
    for (const [name, expected] of Object.entries(rows)) {
      it(`${name} in ${title}`, async () => {
        const seen: Partial<Row> = {}
        for (const sender of who) seen[sender] = await statusOf(name as CallName, sender, isPublic)
        expect(seen).toEqual(expected)
      })
    }
  }

  it('is this table', () => {
    const roles = ['owner', 'admin', 'editor', 'viewer', null] as const
    const printed = Object.keys(table).map((action) => [
      action,
      ...roles.map((role) => (can({ role, isPublic: false }, action as keyof typeof table) ? 'yes' : 'no')),
    ])
    expect(printed).toEqual([
      ['project:view', 'yes', 'yes', 'yes', 'yes', 'no'],
      ['project:edit', 'yes', 'yes', 'no', 'no', 'no'],
      ['project:delete', 'yes', 'no', 'no', 'no', 'no'],
      ['content:edit', 'yes', 'yes', 'yes', 'no', 'no'],
      ['collaborators:list', 'yes', 'yes', 'yes', 'yes', 'no'],
      ['collaborators:manage', 'yes', 'yes', 'no', 'no', 'no'],
    ])
  })

  it('is answered by the permissions call, and says nothing about what cannot be seen', async () => {
    const owner = await t.person()
    const project = await t.project(owner)
    const ask = (projectId: string, as?: Sender) =>
      t.call('readPermissions', { params: { projectId } }, { as })
    const nothing = {
      canView: false,
      canEdit: false,
      canManageCollaborators: false,
      isOwner: false,
      role: null,
    }
    expect(await ask(project._id, owner)).toEqual({
      canView: true,
      canEdit: true,
      canManageCollaborators: true,
      isOwner: true,
      role: 'owner',
    })
    expect(await ask(project._id, await t.member(project._id, 'editor'))).toEqual({
      ...nothing,
      canView: true,
      canEdit: true,
      role: 'editor',
    })
    expect(await ask(project._id, await t.person())).toEqual(nothing)
    expect(await ask('0199f1f0-0000-7000-8000-000000000000')).toEqual(nothing)
    expect(await ask('no-id-at-all', owner)).toEqual(nothing)
  })
})
