import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AppEvent } from '#server/platform/events/events.ts'
import { type TestApp, testApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'
import { type NewNotification, notify } from './notify.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t.close())

const publish = (person: Person, notice: Partial<NewNotification> = {}) =>
  t.deps.db.transaction().execute((trx) =>
    notify(trx, {
      userId: person.userId,
      type: 'other',
      title: 'AppEvent',
      message: 'Something happened',
      now: t.deps.clock(),
      ...notice,
    }),
  )

const list = (person: Person, query: Partial<{ page: number; unreadOnly: 'true' | 'false' }> = {}) =>
  t.call('listNotifications', { query }, { as: person })

const mute = (person: Person, muted: NewNotification['type'][], unmuted: NewNotification['type'][] = []) =>
  t.call('updateNotificationPreferences', { body: { muted, unmuted } }, { as: person })

async function invited(person: Person) {
  const owner = await t.person()
  return t.invitation(owner, (await t.project(owner))._id, { email: person.email })
}

const titles = async (person: Person, query?: Parameters<typeof list>[1]) =>
  (await list(person, query)).notifications.map(({ title }) => title)

const unread = async (person: Person) => (await t.call('countUnreadNotifications', {}, { as: person })).count

const newest = async (person: Person) => {
  const [first] = (await list(person)).notifications
  if (!first) throw new Error('there is no notification')
  return first._id
}

const mark = (person: Person, notificationId: string) =>
  t.call('markNotificationRead', { params: { notificationId } }, { as: person })

describe('notifications', () => {
  it('describe an event and its target, and start unread', async () => {
    const ada = await t.person()
    const { inviteToken, project: projectId } = await invited(ada)
    t.later(1)
    await publish(ada)
    const { notifications } = await list(ada)
    expect(notifications).toMatchObject([
      { type: 'other', title: 'AppEvent', message: 'Something happened', isRead: false, data: {} },
      { type: 'collaboration_invite', isRead: false, data: { inviteToken, projectId } },
    ])
    expect(notifications.map(({ data }) => data)).toEqual([{}, { inviteToken, projectId }])
  })

  it('are stored only if the transaction of their event commits', async () => {
    const ada = await t.person()
    const failing = t.deps.db.transaction().execute(async (trx) => {
      await notify(trx, {
        userId: ada.userId,
        type: 'other',
        title: 'x',
        message: 'y',
        now: t.deps.clock(),
      })
      throw new Error('the event failed')
    })
    await expect(failing).rejects.toThrow('the event failed')
    expect(await unread(ada)).toBe(0)
  })

  it('are listed newest first, ten per page, with the total number of unread ones', async () => {
    const ada = await t.person()
    for (let n = 1; n <= 23; n++) await publish(ada, { title: String(n) })
    const first = await list(ada)
    expect(first).toMatchObject({
      unreadCount: 23,
      pagination: { totalItems: 23, totalPages: 3, currentPage: 1, hasPrev: false, hasNext: true, limit: 10 },
    })
    expect(first.notifications.map(({ title }) => title)).toEqual(
      Array.from({ length: 10 }, (_, index) => String(23 - index)),
    )
    expect(await titles(ada, { page: 3 })).toEqual(['3', '2', '1'])
    expect(await titles(ada, { page: 99 })).toEqual(['3', '2', '1'])
  })

  it('can be filtered to unread ones', async () => {
    const ada = await t.person()
    for (const title of ['one', 'two', 'three']) await publish(ada, { title })
    await mark(ada, await newest(ada))
    expect(await titles(ada, { unreadOnly: 'true' })).toEqual(['two', 'one'])
    expect(await titles(ada, { unreadOnly: 'false' })).toEqual(['three', 'two', 'one'])
    const { pagination, unreadCount } = await list(ada, { unreadOnly: 'true' })
    expect({ total: pagination.totalItems, unreadCount }).toEqual({ total: 2, unreadCount: 2 })
  })

  it('are refused for an invalid query', async () => {
    const ada = await t.person()
    const errorOf = (query: object) => t.refused('listNotifications', { query }, { as: ada })
    for (const page of [0, -1])
      expect(await errorOf({ page })).toMatchObject({ status: 400, message: 'Page must be at least 1' })
    expect(await errorOf({ unreadOnly: 'maybe' })).toMatchObject({
      status: 400,
      message: 'unreadOnly must be true or false',
    })
  })

  it('are marked as read individually, even twice, and all at once', async () => {
    const ada = await t.person()
    for (const title of ['one', 'two', 'three']) await publish(ada, { title })
    const id = await newest(ada)
    await mark(ada, id)
    await mark(ada, id)
    expect(await unread(ada)).toBe(2)
    await t.call('markAllNotificationsRead', {}, { as: ada })
    await t.call('markAllNotificationsRead', {}, { as: ada })
    expect(await unread(ada)).toBe(0)
    expect((await list(ada)).notifications.every(({ isRead }) => isRead)).toBe(true)
  })

  it('are deleted permanently', async () => {
    const ada = await t.person()
    await publish(ada, { title: 'stays' })
    await publish(ada, { title: 'goes' })
    const params = { notificationId: await newest(ada) }
    await t.call('deleteNotification', { params }, { as: ada })
    expect(await titles(ada)).toEqual(['stays'])
    expect(await unread(ada)).toBe(1)
    const again = await t.refused('deleteNotification', { params }, { as: ada })
    expect(again).toMatchObject({ status: 404, message: 'Notification not found' })
  })

  it('belong to one person: nobody else sees, marks or deletes them', async () => {
    const ada = await t.person()
    const eve = await t.person()
    await publish(ada)
    const params = { notificationId: await newest(ada) }
    for (const name of ['markNotificationRead', 'deleteNotification'] as const) {
      expect(await t.refused(name, { params }, { as: eve })).toMatchObject({ status: 404 })
      expect(await t.refused(name, { params })).toMatchObject({ status: 401 })
      const nonsense = await t.refused(name, { params: { notificationId: 'none' } }, { as: ada })
      expect(nonsense).toMatchObject({ status: 404 })
    }
    await t.call('markAllNotificationsRead', {}, { as: eve })
    expect(await titles(eve)).toEqual([])
    expect(await unread(ada)).toBe(1)
  })

  it('no longer link to an invitation that is invalid', async () => {
    const ada = await t.person()
    const dead = await invited(ada)
    t.later(1)
    const alive = await invited(ada)
    await t.call('declineInvitation', { params: { inviteToken: dead.inviteToken } })
    const { notifications } = await list(ada)
    expect(notifications.map(({ data }) => data)).toEqual([
      { inviteToken: alive.inviteToken, projectId: alive.project },
      { projectId: dead.project },
    ])
  })

  it('link to an invitation only for the invited person', async () => {
    const [ada, eve] = [await t.person(), await t.person()]
    const { _id: collaboratorId, project: projectId, inviteToken } = await invited(ada)
    await publish(eve, { type: 'collaboration_invite', data: { collaboratorId, projectId } })
    expect((await list(eve)).notifications.map(({ data }) => data)).toEqual([{ projectId }])
    expect((await list(ada)).notifications.map(({ data }) => data)).toEqual([{ inviteToken, projectId }])
  })

  it('publish every change to the other tabs and devices of their recipient', async () => {
    const ada = await t.person()
    for (const title of ['one', 'two', 'three']) await publish(ada, { title })
    const params = { notificationId: await newest(ada) }
    const heard: AppEvent[] = []
    // Events of the previous tests may still arrive.
    const isOfAda = (event: AppEvent) => 'person' in event && event.person === ada.userId
    const end = t.deps.events.subscribe({
      onEvent: (event) => void (isOfAda(event) && heard.push(event)),
      onGap: () => undefined,
    })
    const changes = [
      () => mark(ada, params.notificationId),
      () => t.call('markAllNotificationsRead', {}, { as: ada }),
      () => t.call('deleteNotification', { params }, { as: ada }),
    ]
    for (const [index, change] of changes.entries()) {
      await change()
      await expect.poll(() => heard).toHaveLength(index + 1)
    }
    await t.refused('deleteNotification', { params }, { as: ada })
    end()
    for (const events of heard) expect(events).toEqual({ person: ada.userId })
  })
})

describe('a muted kind', () => {
  it('is no longer stored for that person; existing notifications, other kinds and other people are not affected', async () => {
    const [ada, bo] = [await t.person(), await t.person()]
    await publish(ada, { title: 'Before' })
    expect(await mute(ada, ['other', 'role_updated', 'other'])).toMatchObject({
      notifications: { muted: ['other', 'role_updated'], mutedEmails: [] },
    })
    for (const person of [ada, bo]) await publish(person, { title: 'Not wanted' })
    await publish(ada, { type: 'collaboration_removed', title: 'Wanted' })
    expect(await titles(ada)).toEqual(['Wanted', 'Before'])
    expect(await titles(bo)).toEqual(['Not wanted'])
    await mute(ada, [], ['other', 'role_updated'])
    await publish(ada, { title: 'Wanted again' })
    expect(await titles(ada)).toEqual(['Wanted again', 'Wanted', 'Before'])
  })

  it('is muted and unmuted without affecting other kinds, which may be changing in another tab', async () => {
    const ada = await t.person()
    const muted = async () => (await t.call('readAccount', {}, { as: ada })).notifications.muted
    await Promise.all([mute(ada, ['other']), mute(ada, ['role_updated'])])
    expect(new Set(await muted())).toEqual(new Set(['other', 'role_updated']))
    await mute(ada, [], ['other'])
    expect(await muted()).toEqual(['role_updated'])
  })

  it('is sent even if muted, if somebody else may have had the account', async () => {
    const ada = await t.person()
    await mute(ada, ['other'])
    const notification = {
      userId: ada.userId,
      type: 'other',
      title: 'Taken over',
      message: 'x',
      now: t.deps.clock(),
    } as const
    await t.deps.db.transaction().execute((trx) => notify(trx, notification, { always: true }))
    expect(await titles(ada)).toEqual(['Taken over'])
  })

  it('does not hide an invitation from the collaborations', async () => {
    const ada = await t.person()
    await mute(ada, ['collaboration_invite'])
    const { inviteToken } = await invited(ada)
    expect(await titles(ada)).toEqual([])
    const { collaborations } = await t.call(
      'listMyCollaborations',
      { query: { status: 'pending' } },
      { as: ada },
    )
    expect(collaborations).toMatchObject([{ inviteToken }])
  })

  it('must be an existing kind', async () => {
    const ada = await t.person()
    const send = (body: object) =>
      t.app.inject({ method: 'PUT', url: '/api/account/notifications', headers: ada.headers, payload: body })
    for (const body of [
      { muted: ['news'] },
      { muted: 'other' },
      { unmuted: ['news'] },
      { mutedEmails: ['other'] },
      { muted: [null] },
    ])
      expect([body, (await send(body)).statusCode]).toEqual([body, 400])
  })
})
