import type { Notification } from '#contract/notifications.ts'

/** What an action makes of the listed notifications and of the number of unread ones. */
export type Change = {
  notifications: (listed: Notification[]) => Notification[]
  unread: (count: number) => number
}

/** Marks one as read. */
export const reading = (read: Notification): Change => ({
  notifications: (listed) =>
    listed.map((other) => (other._id === read._id ? { ...other, isRead: true } : other)),
  unread: without(read),
})

/** Marks all as read, also those that are not listed. */
export const readingAll: Change = {
  notifications: (listed) => listed.map((other) => ({ ...other, isRead: true })),
  unread: () => 0,
}

/** Takes one away. */
export const deleting = (deleted: Notification): Change => ({
  notifications: (listed) => listed.filter((other) => other._id !== deleted._id),
  unread: without(deleted),
})

function without({ isRead }: Notification) {
  return (count: number) => (isRead ? count : Math.max(0, count - 1))
}
