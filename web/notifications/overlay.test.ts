import { QueryClient } from '@tanstack/react-query'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Notification, NotificationPage } from '#contract/notifications.ts'
import type { ShownChange } from '#web/saving/overlay.ts'
import { showingLatest, showingUnread } from './overlay.ts'

/** Notification lists, with the number of further unread ones. */
const pages = fc
  .tuple(fc.array(fc.boolean(), { minLength: 1, maxLength: 10 }), fc.nat(50))
  .map(([marks, unlisted]): NotificationPage => {
    const notifications = marks.map((isRead, index) => ({ _id: String(index), isRead }) as Notification)
    const unreadCount = marks.filter((isRead) => !isRead).length + unlisted
    return { notifications, unreadCount } as NotificationPage
  })

const ofOne = fc
  .tuple(fc.constantFrom('markNotificationRead', 'deleteNotification'), fc.nat(9))
  .map(([call, index]) => ({ call, params: { notificationId: String(index) } }) as ShownChange)
const changesOfOne = fc.array(ofOne, { minLength: 1, maxLength: 6 })
const all = { call: 'markAllNotificationsRead' } as ShownChange

const unreadIn = ({ notifications }: NotificationPage) => notifications.filter(({ isRead }) => !isRead).length

function shown(page: NotificationPage, changes: readonly ShownChange[], count = page.unreadCount) {
  const client = new QueryClient()
  client.setQueryData(['latest'], page)
  return {
    page: showingLatest.overlay(page, changes, client),
    ...showingUnread(['latest']).overlay({ count }, changes, client),
  }
}

test('marking and deleting notifications, also one of them twice, keeps the number of unread ones correct', () => {
  fc.assert(
    fc.property(pages, changesOfOne, (before, changes) => {
      const { page, count } = shown(before, changes)
      const unlisted = before.unreadCount - unreadIn(before)
      expect([page.unreadCount, count]).toEqual([unreadIn(page) + unlisted, unreadIn(page) + unlisted])
    }),
  )
})

test('marking all of them leaves none unread, also of those that are not listed', () => {
  fc.assert(
    fc.property(pages, (before) => {
      const { page, count } = shown(before, [all], before.unreadCount + 3)
      expect([unreadIn(page), page.unreadCount, count]).toEqual([0, 0, 0])
    }),
  )
})

test('what the server has counted already is not subtracted again', () => {
  const notifications = [{ _id: '0', isRead: true } as Notification]
  const page = { notifications, unreadCount: 2 } as NotificationPage
  const read = { call: 'markNotificationRead', params: { notificationId: '0' } } as ShownChange
  expect(shown(page, [read]).count).toBe(2)
})

test('the number of unread ones is never negative', () => {
  const page = { notifications: [{ _id: '0', isRead: false } as Notification], unreadCount: 1 }
  const deleted = { call: 'deleteNotification', params: { notificationId: '0' } } as ShownChange
  expect(shown(page as NotificationPage, [deleted], 0).count).toBe(0)
})
