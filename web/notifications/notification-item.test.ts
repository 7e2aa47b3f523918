import { expect, test } from 'vitest'
import { type Notification, notificationType } from '#contract/notifications.ts'
import { targetOf } from './notification-item.tsx'

const projectId = '0199f1f0-0000-7000-8000-000000000000'
const everything = { inviteToken: 'a-token', projectId }

test('an invitation links to its page while it has a token', () => {
  expect(targetOf({ type: 'collaboration_invite', data: everything })).toBe('/invite/a-token')
  expect(targetOf({ type: 'collaboration_invite', data: { projectId } })).toBeNull()
})

test.each(['collaboration_accepted', 'role_updated'] as const)('%s links to the project', (type) => {
  expect(targetOf({ type, data: everything })).toBe(`/projects/${projectId}`)
  expect(targetOf({ type, data: {} })).toBeNull()
})

test('news lead to their entry, several to their project, and nowhere once the project is gone', () => {
  const news = { type: 'other', kind: 'entry' } as const
  const data = { projectId, milestoneId: 'm', entryId: 'e' }
  expect(targetOf({ ...news, data })).toBe(`/projects/${projectId}/milestones/m/entries/e`)
  expect(targetOf({ ...news, data: { projectId, milestoneId: 'm' } })).toBe(`/projects/${projectId}`)
  expect(targetOf({ ...news, data: {} })).toBeNull()
})

test('no other notification is a link', () => {
  const leading: Notification['type'][] = ['collaboration_invite', 'collaboration_accepted', 'role_updated']
  const others = notificationType.options.filter((type) => !leading.includes(type))
  expect(others.map((type) => targetOf({ type, data: everything }))).toEqual([null, null, null])
})
