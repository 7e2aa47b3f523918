import { clsx } from 'clsx'
import { Trash2 } from 'lucide-react'
import { Link } from 'react-router'
import type { Notification } from '#contract/notifications.ts'
import { IconButton } from '#web/ui/controls/button.tsx'
import { VisuallyHidden } from '#web/ui/layout/accessibility.tsx'
import { RelativeTime } from '#web/ui/layout/time.tsx'
import { useDeleteNotification, useMarkRead } from './mutations.ts'

type NotificationItemProps = { notification: Notification; now: number; onClose: () => void }

const rowClass =
  'flex w-full gap-3 py-3 pr-12 pl-4 text-left no-underline hover:bg-hover -outline-offset-2 pointer-coarse:pr-14'

/** A notification. Choosing it marks it as read, closes the panel and opens its target, if it has one. */
export function NotificationItem({ notification, now, onClose }: NotificationItemProps) {
  const markRead = useMarkRead(notification)
  const remove = useDeleteNotification(notification)
  const { title, message, isRead } = notification
  const target = targetOf(notification)
  const content = <NotificationText notification={notification} now={now} />

  function choose() {
    if (!isRead) markRead()
    onClose()
  }

  return (
    <li className="relative">
      {target === null ? (
        <button type="button" className={rowClass} onClick={choose}>
          {content}
        </button>
      ) : (
        <Link to={target} className={rowClass} onClick={choose}>
          {content}
        </Link>
      )}
      <span className="absolute top-2 right-1.5">
        <IconButton
          label={`Delete notification ${title}: ${message}`}
          tip="Delete notification"
          icon={<Trash2 />}
          size="sm"
          danger
          onClick={remove}
        />
      </span>
    </li>
  )
}

type NotificationTextProps = { notification: Notification; now: number }

function NotificationText({ notification, now }: NotificationTextProps) {
  const { title, message, createdAt, isRead } = notification
  return (
    <>
      <span
        className={clsx('mt-1.5 size-2 shrink-0 rounded-full border-4 border-accent', isRead && 'invisible')}
        data-unread={!isRead || undefined}
        aria-hidden="true"
      />
      <span className="min-w-0 flex-1">
        {!isRead && <VisuallyHidden>Unread: </VisuallyHidden>}
        <span className={clsx('block text-sm', isRead ? 'text-muted' : 'font-semibold text-ink')}>
          {title}
        </span>
        <span className="mt-0.5 block text-sm text-muted">{message}</span>
        <RelativeTime at={createdAt} now={now} className="mt-1 block text-xs text-faint" />
      </span>
    </>
  )
}

/** Returns the path of a notification's target, or null. */
export function targetOf({ type, kind, data }: Pick<Notification, 'type' | 'kind' | 'data'>): string | null {
  if (kind !== undefined) return targetOfNews(data)
  if (type === 'collaboration_invite') {
    return data.inviteToken === undefined ? null : `/invite/${encodeURIComponent(data.inviteToken)}`
  }
  const leadsToProject = type === 'collaboration_accepted' || type === 'role_updated'
  return leadsToProject && data.projectId !== undefined ? `/projects/${data.projectId}` : null
}

/** Returns the path of the entry or milestone, or of the project if the news are several. */
function targetOfNews({ projectId, milestoneId, entryId }: Notification['data']): string | null {
  if (projectId === undefined) return null
  const project = `/projects/${projectId}`
  if (milestoneId !== undefined && entryId !== undefined)
    return `${project}/milestones/${milestoneId}/entries/${entryId}`
  return project
}
