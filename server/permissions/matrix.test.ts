import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CallName, calls } from '#contract/calls.ts'
import { type Call, SCOPES, type Scope } from '#contract/parts/call.ts'
import { notify } from '#server/notifications/notify.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import type { Sender } from '#server/testing/client.ts'
import { deleted } from '#server/trash/testing.ts'
import { can, rolesByAction } from './roles-by-action.ts'

const who = ['owner', 'admin', 'editor', 'viewer', 'stranger', 'removed member', 'visitor'] as const
type Who = (typeof who)[number]
const isLong = process.env.MILEPOST_TESTS === 'all'
/** The senders of calls that do not depend on a role; all of them in `npm run test:all`. */
const anyRole: readonly Who[] = isLong ? who : ['owner', 'visitor']
/** The senders of calls that all senders send to the private project: to the public one, and with a token. */
const toPublic: readonly Who[] = isLong ? who : ['viewer', 'stranger', 'visitor']
const byToken: readonly Who[] = isLong ? who : ['owner', 'viewer']
type Row = Record<Who, number>
type Rows = Partial<Record<CallName, Row>>

/** A removed member has the same rights as a stranger. */
const row = (
  statuses: [owner: number, admin: number, editor: number, viewer: number, stranger: number, visitor: number],
): Row => {
  const [owner, admin, editor, viewer, stranger, visitor] = statuses
  return { owner, admin, editor, viewer, stranger, 'removed member': stranger, visitor }
}

const same = (signedIn: number, visitor: number): Row =>
  row([signedIn, signedIn, signedIn, signedIn, signedIn, visitor])

/** The status of each call in a private project, by role. */
const inPrivate: Rows = {
  readProject: row([200, 200, 200, 200, 404, 404]),
  updateProject: row([200, 200, 403, 403, 404, 401]),
  deleteProject: row([204, 403, 403, 403, 404, 401]),
  readPermissions: row([200, 200, 200, 200, 200, 200]),
  listMilestones: row([200, 200, 200, 200, 404, 404]),
  readMilestoneSummary: row([200, 200, 200, 200, 404, 404]),
  createMilestone: row([201, 201, 201, 403, 404, 401]),
  updateMilestone: row([200, 200, 200, 403, 404, 401]),
  moveMilestone: row([200, 200, 200, 403, 404, 401]),
  deleteMilestone: row([204, 204, 204, 403, 404, 401]),
  listEntries: row([200, 200, 200, 200, 404, 404]),
  listProjectEntries: row([200, 200, 200, 200, 404, 404]),
  readEntry: row([200, 200, 200, 200, 404, 404]),
  locateEntry: row([200, 200, 200, 200, 404, 404]),
  createEntry: row([201, 201, 201, 403, 404, 401]),
  updateEntry: row([200, 200, 200, 403, 404, 401]),
  moveEntries: row([200, 200, 200, 403, 404, 401]),
  renameTag: row([200, 200, 200, 403, 404, 401]),
  deleteEntries: row([200, 200, 200, 403, 404, 401]),
  undoBulkChange: row([404, 404, 404, 403, 404, 401]),
  listTags: row([200, 200, 200, 200, 404, 404]),
  deleteEntry: row([204, 204, 204, 403, 404, 401]),
  listRevisions: row([200, 200, 200, 403, 404, 401]),
  readRevision: row([200, 200, 200, 403, 404, 401]),
  nameRevision: row([200, 200, 200, 403, 404, 401]),
  restoreRevision: row([200, 200, 200, 403, 404, 401]),
  keepEditing: row([200, 200, 200, 403, 404, 401]),
  endEditing: row([204, 204, 204, 403, 404, 401]),
  reserveFiles: row([201, 201, 201, 403, 404, 401]),
  listFiles: row([200, 200, 200, 200, 404, 404]),
  readWorld: row([404, 404, 404, 404, 404, 404]),
  readWorldPage: row([404, 404, 404, 404, 404, 404]),
  readWorldEntry: row([404, 404, 404, 404, 404, 404]),
  readAddress: row([200, 200, 403, 403, 404, 401]),
  changeAddress: row([200, 200, 403, 403, 404, 401]),
  readReactions: row([200, 200, 200, 200, 404, 404]),
  readReaders: row([200, 200, 403, 403, 404, 401]),
  changeReaders: row([200, 200, 403, 403, 404, 401]),
  readStory: row([200, 200, 200, 200, 404, 404]),
  listCollaborators: row([200, 200, 200, 200, 404, 401]),
  inviteCollaborator: row([201, 201, 403, 403, 404, 401]),
  updateCollaborator: row([200, 200, 403, 403, 404, 401]),
  removeCollaborator: row([204, 204, 403, 403, 404, 401]),
  leaveProject: row([403, 204, 204, 204, 404, 401]),
  transferProject: row([204, 403, 403, 403, 404, 401]),
  listActivity: row([200, 200, 200, 200, 404, 401]),
  updateOnThisDay: row([204, 204, 204, 204, 404, 401]),
  listMentionable: row([200, 200, 200, 403, 404, 401]),
  readWatch: row([200, 200, 200, 200, 404, 401]),
  changeWatch: row([200, 200, 200, 200, 404, 401]),
  visitProject: row([200, 200, 200, 200, 404, 401]),
  listWorldEntries: row([404, 404, 404, 404, 404, 404]),
  restoreDeletion: row([200, 200, 200, 404, 404, 401]),
  deleteForEver: row([204, 403, 403, 404, 404, 401]),
  listWebhooks: row([200, 200, 403, 403, 404, 401]),
  createWebhook: row([201, 201, 403, 403, 404, 401]),
  switchWebhook: row([200, 200, 403, 403, 404, 401]),
  rotateWebhookSecret: row([200, 200, 403, 403, 404, 401]),
  testWebhook: row([200, 200, 403, 403, 404, 401]),
  deleteWebhook: row([204, 204, 403, 403, 404, 401]),
  listDeliveries: row([200, 200, 403, 403, 404, 401]),
  listShareLinks: row([200, 200, 403, 403, 404, 401]),
  createShareLink: row([201, 201, 403, 403, 404, 401]),
  updateShareLink: row([200, 200, 403, 403, 404, 401]),
  renewShareLink: row([200, 200, 403, 403, 404, 401]),
  revokeShareLink: row([204, 204, 403, 403, 404, 401]),
}

/**
 * The statuses in a public project: what visitors may read everybody may, and what asks for an account is for members, so that strangers
 * get 403; of the activity and of what is in the trash they get 404.
 */
const inPublic: Rows = Object.fromEntries(
  Object.entries(inPrivate).map(([name, statuses]) => {
    if (name.includes('World')) return [name, same(200, 200)]
    const isOpen = statuses.visitor !== 401
    const isHidden = name === 'listActivity' || statuses.viewer === 404
    const stranger = isOpen ? statuses.viewer : isHidden ? 404 : 403
    return [name, { ...statuses, stranger, 'removed member': stranger, visitor: isOpen ? 200 : 401 }]
  }),
)

/**
 * Calls that do not depend on a role: about the caller's own account, and about another person's invitation or
 * notification.
 */
const independentOfRole: Rows = {
  exchangeToken: same(400, 400),
  readIdentityOptions: same(200, 200),
  readEntryOptions: same(200, 200),
  readInvitationOptions: same(200, 200),
  readMe: same(200, 401),
  signOut: same(204, 401),
  readAccount: same(200, 401),
  readProfile: same(200, 401),
  changeProfile: same(200, 401),
  prepareExport: same(200, 401),
  createImport: same(400, 401),
  sendImportPart: same(404, 401),
  listImports: same(200, 401),
  readImport: same(404, 401),
  runImport: same(404, 401),
  undoImport: same(404, 401),
  deleteImport: same(404, 401),
  updateAccount: same(200, 401),
  changePassword: same(400, 401),
  updateNotificationPreferences: same(200, 401),
  updateDatePreferences: same(200, 401),
  updatePicture: same(400, 401),
  removePicture: same(204, 401),
  beginTwoFactor: same(409, 401),
  turnOnTwoFactor: same(400, 401),
  turnOffTwoFactor: same(409, 401),
  makeRecoveryCodes: same(409, 401),
  changeEmail: same(400, 401),
  cancelEmailChange: same(204, 401),
  confirmEmailChange: same(400, 401),
  refuseEmailChange: same(400, 400),
  previewDeletion: same(200, 401),
  deleteAccount: same(400, 401),
  listProofMethods: same(200, 401),
  proveByPassword: same(400, 401),
  beginPasskeyProof: same(409, 401),
  proveByPasskey: same(400, 401),
  listPasskeys: same(409, 401),
  beginPasskey: same(409, 401),
  addPasskey: same(404, 401),
  renamePasskey: same(404, 401),
  removePasskey: same(404, 401),
  listSessions: same(200, 401),
  endSession: same(404, 401),
  endOtherSessions: same(204, 401),
  readInstance: same(404, 401),
  updateRegistration: same(404, 401),
  updateAnnouncement: same(404, 401),
  updateTerms: same(404, 401),
  readTerms: same(404, 404),
  sendTestEmail: same(404, 401),
  listFailedJobs: same(404, 401),
  listPeople: same(404, 401),
  updatePerson: same(404, 401),
  refusePerson: same(404, 401),
  makeResetLink: same(404, 401),
  turnOffPersonTwoFactor: same(404, 401),
  changePersonEmail: same(404, 401),
  listServerInvitations: same(404, 401),
  inviteToServer: same(404, 401),
  withdrawServerInvitation: same(404, 401),
  listAuditLog: same(404, 401),
  readStats: same(200, 200),
  countUsers: same(200, 200),
  listProjects: same(200, 401),
  createProject: same(201, 401),
  acceptInvitation: same(403, 200),
  declineInvitation: same(403, 204),
  listMyCollaborations: same(200, 401),
  listNotifications: same(200, 401),
  countUnreadNotifications: same(200, 401),
  listDrafts: same(200, 401),
  readDraft: same(404, 401),
  saveDraft: same(200, 401),
  discardDraft: same(404, 401),
  markAllNotificationsRead: same(204, 401),
  markNotificationRead: same(404, 401),
  deleteNotification: same(404, 401),
  listTrash: same(200, 401),
  search: same(200, 401),
  listDays: same(200, 401),
  listDay: same(200, 401),
  readNumbers: same(200, 401),
  listOnThisDay: same(200, 401),
  uploadFile: same(404, 401),
  deleteFile: same(404, 401),
  listAccessTokens: same(200, 401),
  createAccessToken: same(400, 401),
  revokeAccessToken: same(404, 401),
}

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

type Ids = Awaited<ReturnType<typeof createFixtures>>['ids']
type Fixtures = { senders: Record<Who, Sender | undefined>; owner: Person; ids: Ids }

/** Creates a project with one resource of each kind, and a sender for each column. */
async function createFixtures(isPublic: boolean) {
  const owner = await t.person()
  const project = await t.project(owner, { isPublic })
  const projectId = project._id
  const { inviteToken } = await t.invitation(owner, projectId)
  return {
    owner,
    senders: {
      owner,
      admin: await t.member(projectId, 'admin'),
      editor: await t.member(projectId, 'editor'),
      viewer: await t.member(projectId, 'viewer'),
      stranger: await t.person(),
      'removed member': await createRemovedMember(owner, projectId),
      visitor: undefined,
    },
    ids: {
      projectId,
      ...(await createContent(owner, projectId)),
      ...(await addMember(owner, projectId)),
      ...(await createWebhookIn(owner, projectId)),
      ...(await createLinkIn(owner, projectId)),
      notificationId: await createNotification(await t.person()),
      inviteToken,
    },
  }
}

/** Creates a milestone with an entry and a deleted entry. */
async function createContent(owner: Person, projectId: string) {
  const milestone = await t.milestone(owner, projectId)
  const entry = await t.entry(owner, milestone._id, { tags: ['n'] })
  const entryId = entry._id
  return {
    milestoneId: milestone._id,
    entryId,
    revisionId: await t.revisionOf(owner, entry),
    fileId: entryId,
    draftId: entryId,
    importId: entryId,
    bulkChangeId: entryId,
    offset: '0',
    tag: 'n',
    ...(await createDeletion(owner, milestone._id)),
  }
}

async function createDeletion(owner: Person, milestoneId: string) {
  const { _id: entryId } = await t.entry(owner, milestoneId)
  return { deletionId: await deleted(t, owner, { milestoneId, entryId }) }
}

async function addMember(owner: Person, projectId: string) {
  const member = await t.member(projectId, 'viewer')
  return { collaboratorId: await memberIn(owner, projectId, member) }
}

async function createWebhookIn(owner: Person, projectId: string) {
  const body = { url: 'https://example.test' }
  const { webhook } = await t.call('createWebhook', { params: { projectId }, body }, { as: owner })
  return { webhookId: webhook._id }
}

async function createLinkIn(owner: Person, projectId: string) {
  const body = { name: 'A link' }
  const { link } = await t.call('createShareLink', { params: { projectId }, body }, { as: owner })
  return { linkId: link._id }
}

/** Recreates the fixtures that a successful call has deleted. */
const recreate: Partial<Record<CallName, (owner: Person, ids: Ids) => Promise<Partial<Ids>>>> = {
  deleteMilestone: (owner, { projectId }) => createContent(owner, projectId),
  deleteEntry: (owner, { projectId }) => createContent(owner, projectId),
  deleteEntries: (owner, { projectId }) => createContent(owner, projectId),
  restoreDeletion: (owner, { milestoneId }) => createDeletion(owner, milestoneId),
  deleteForEver: (owner, { milestoneId }) => createDeletion(owner, milestoneId),
  removeCollaborator: (owner, { projectId }) => addMember(owner, projectId),
  deleteWebhook: (owner, { projectId }) => createWebhookIn(owner, projectId),
  revokeShareLink: (owner, { projectId }) => createLinkIn(owner, projectId),
}

/** Calls that delete no fixtures. */
const nonDestructive: readonly CallName[] = [
  'updateProject',
  'createMilestone',
  'updateMilestone',
  'moveMilestone',
  'createEntry',
  'updateEntry',
  'moveEntries',
  'updateOnThisDay',
  'renameTag',
  'nameRevision',
  'restoreRevision',
  'keepEditing',
  'endEditing',
  'reserveFiles',
  'inviteCollaborator',
  'updateCollaborator',
  'createWebhook',
  'switchWebhook',
  'rotateWebhookSecret',
  'createShareLink',
  'updateShareLink',
  'renewShareLink',
  'changeAddress',
  'createProject',
  'updateAccount',
  'updateNotificationPreferences',
  'prepareExport',
  'updateDatePreferences',
  'cancelEmailChange',
  'removePicture',
  'markAllNotificationsRead',
  'changeWatch',
  'visitProject',
]

/** The queries of calls that require one. */
const queries: Partial<Record<CallName, (ids: Ids) => Record<string, string>>> = {
  listFiles: ({ entryId }) => ({ ids: entryId }),
  listDays: () => ({ from: '2026-01-01', to: '2026-12-31' }),
  listDay: () => ({ day: '2026-03-04' }),
  listOnThisDay: () => ({ date: '2026-03-04' }),
}

/** The fixtures by the visibility of their project. They are created again after a call that deletes all of them. */
const fixturesByVisibility = new Map<boolean, Fixtures>()

const programs = new Map<string, Promise<Sender>>()

/** Returns a program with these scopes for a person. */
function programOf(person: Sender, scopes: readonly Scope[]): Promise<Sender> {
  const key = [person.headers.authorization, ...scopes].join(' ')
  const program = programs.get(key) ?? t.program(person, { scopes: [...scopes] })
  programs.set(key, program)
  return program
}

/** Returns the status of a call; with `scopes`, sent with an access token of the sender. */
async function statusOf(
  name: CallName,
  sender: Who,
  isPublic: boolean,
  scopes?: readonly Scope[],
): Promise<number> {
  const fixtures = fixturesByVisibility.get(isPublic) ?? (await createFixtures(isPublic))
  const { senders, owner, ids } = fixtures
  const { method, path } = calls[name]
  const payload = {
    title: 'x',
    description: 'y',
    slug: null,
    content: 'z',
    name: 'n',
    email: `${randomUUID()}@example.test`,
    role: 'editor',
    level: 'mentions',
    collaborator: ids.collaboratorId,
    files: [{ name: 'a.jpg', size: 3 }],
    url: 'https://example.test',
    isRemembered: false,
    // Its name would be that of a page.
    ...(name === 'changeProfile' && { name: undefined, about: 'x' }),
    ...(name === 'moveEntries' && { entries: [ids.entryId], milestone: ids.milestoneId }),
    ...(name === 'deleteEntries' && { entries: [ids.entryId] }),
  }
  const person = senders[sender]
  const response = await t.app.inject({
    method,
    url: path.replaceAll(/:(\w+)/g, (_match, key: string) => ids[key as keyof Ids] ?? ''),
    query: queries[name]?.(ids) ?? {},
    headers: (person && scopes ? await programOf(person, scopes) : person)?.headers ?? {},
    ...(method === 'POST' || method === 'PUT' ? { payload } : {}),
  })
  const kept = method === 'GET' || response.statusCode >= 400 || nonDestructive.includes(name)
  const replacement = kept ? {} : await recreate[name]?.(owner, ids)
  if (replacement) fixturesByVisibility.set(isPublic, { ...fixtures, ids: { ...ids, ...replacement } })
  else fixturesByVisibility.delete(isPublic)
  return response.statusCode
}

async function memberIn(owner: Person, projectId: string, { email }: Person): Promise<string> {
  const members = await t.call('listCollaborators', { params: { projectId } }, { as: owner })
  return members.find((member) => member.email === email)?._id ?? ''
}

async function createRemovedMember(owner: Person, projectId: string): Promise<Person> {
  const admin = await t.member(projectId, 'admin')
  const params = { projectId, collaboratorId: await memberIn(owner, projectId, admin) }
  await t.call('removeCollaborator', { params }, { as: owner })
  return admin
}

async function createNotification({ userId }: Person): Promise<string> {
  const now = t.deps.clock()
  await t.deps.db
    .transaction()
    .execute((trx) => notify(trx, { userId, type: 'other', title: 'x', message: 'y', now }))
  const { rows } = await t.pool.query<{ id: string }>('select id from notifications where user_id = $1', [
    userId,
  ])
  return rows[0]?.id ?? ''
}

describe('who may do what', () => {
  it('covers every call', () => {
    const covered = [...Object.keys(inPrivate), ...Object.keys(independentOfRole)]
    expect(covered.toSorted()).toEqual(Object.keys(calls).toSorted())
  })

  for (const [title, rows, isPublic, senders] of [
    ['a private project', inPrivate, false, who],
    ['a public project', inPublic, true, toPublic],
    ['any project', independentOfRole, false, anyRole],
  ] as const) {
    for (const [name, expected] of Object.entries(rows)) {
      it(`${name} in ${title}`, async () => {
        const seen: Partial<Row> = {}
        const wanted: Partial<Row> = {}
        for (const sender of senders) {
          wanted[sender] = expected[sender]
          seen[sender] = await statusOf(name as CallName, sender, isPublic)
        }
        expect(seen).toEqual(wanted)
      })
    }
  }

  for (const [name, call] of Object.entries(calls) as [CallName, Call][]) {
    it(`${name} by an access token: requires the right of its owner and the scope`, async () => {
      const expected = inPrivate[name] ?? independentOfRole[name]
      if (!expected || call.who === 'anyone') return
      const { scope = 'none' } = call
      const publishing = call.publishes?.({} as never) ? (['publish'] as const) : []
      const others = SCOPES.filter((one) => one !== scope)
      const senders = (name in inPrivate ? byToken : anyRole).filter((one) => one !== 'visitor')
      for (const sender of isLong ? senders : (['owner'] as const))
        expect([sender, await statusOf(name, sender, false, others)]).toEqual([sender, 403])
      const seen: Partial<Row> = {}
      const wanted: Partial<Row> = {}
      for (const sender of senders) {
        wanted[sender] = scope === 'none' ? 403 : expected[sender]
        seen[sender] = await statusOf(name, sender, false, scope === 'none' ? SCOPES : [scope, ...publishing])
      }
      expect(seen).toEqual(wanted)
    })
  }

  // If the table changes, so do the descriptions of the roles in `web/collaborators/roles.tsx`.
  it('equals this table', () => {
    const roles = ['owner', 'admin', 'editor', 'viewer', null] as const
    const printed = Object.keys(rolesByAction).map((action) => [
      action,
      ...roles.map((role) =>
        can({ role, isPublic: false }, action as keyof typeof rolesByAction) ? 'yes' : 'no',
      ),
    ])
    expect(printed).toEqual([
      ['project:view', 'yes', 'yes', 'yes', 'yes', 'no'],
      ['project:edit', 'yes', 'yes', 'no', 'no', 'no'],
      ['project:delete', 'yes', 'no', 'no', 'no', 'no'],
      ['content:edit', 'yes', 'yes', 'yes', 'no', 'no'],
      ['activity:view', 'yes', 'yes', 'yes', 'yes', 'no'],
      ['collaborators:list', 'yes', 'yes', 'yes', 'yes', 'no'],
      ['collaborators:manage', 'yes', 'yes', 'no', 'no', 'no'],
      ['collaborators:leave', 'no', 'yes', 'yes', 'yes', 'no'],
    ])
  })

  it('is returned by the permissions call: no rights in a hidden project, 404 for one that does not exist', async () => {
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
    expect(await ask(project._id)).toEqual(nothing)
    await t.call('deleteProject', { params: { projectId: project._id } }, { as: owner })
    for (const projectId of [project._id, '0199f1f0-0000-7000-8000-000000000000', 'no-id-at-all'])
      for (const as of [owner, undefined]) {
        const refusal = await t.refused('readPermissions', { params: { projectId } }, { as })
        expect(refusal).toEqual({ status: 404, code: 'not_found', message: 'Project not found' })
      }
  })
})
