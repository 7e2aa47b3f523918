import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Notification } from '#contract/notifications.ts'
import { type Change, markAllRead, markRead, removeNotification } from './mutations.ts'

const listed = fc
  .array(fc.boolean(), { minLength: 1, maxLength: 10 })
  .map((marks) => marks.map((isRead, index) => ({ _id: String(index), isRead }) as Notification))

const unreadIn = (notifications: Notification[]) => notifications.filter(({ isRead }) => !isRead).length

/** Notification lists, with the listed notifications and the number of further unread ones. */
const cases = fc.tuple(listed, fc.nat(9), fc.nat(50))

const changes: [name: string, make: (one: Notification) => Change][] = [
  ['marking one', markRead],
  ['marking all', () => markAllRead],
  ['deleting one', removeNotification],
]

test.each(changes)('%s keeps the number of unread ones correct', (name, make) => {
  fc.assert(
    fc.property(cases, ([before, index, unlisted]) => {
      const one = before[index % before.length] as Notification
      const { notifications, unread } = make(one)
      const count = unread(unreadIn(before) + unlisted)
      expect(count).toBe(unreadIn(notifications(before)) + (name === 'marking all' ? 0 : unlisted))
    }),
  )
})

test.each(changes)('%s never makes it negative', (_name, make) => {
  fc.assert(
    fc.property(fc.boolean(), (isRead) => {
      expect(make({ _id: '0', isRead } as Notification).unread(0)).toBe(0)
    }),
  )
})
