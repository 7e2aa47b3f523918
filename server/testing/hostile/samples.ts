import { type CallName, calls } from '#contract/calls.ts'
import { type Call, successStatus } from '#contract/parts/call.ts'
import type { TestApp } from '#server/testing/app.ts'
import type { Person } from '#server/testing/builders.ts'

/** A valid body for all calls, and individual ones. */
export const body = {
  title: 'A canoe',
  description: 'Strip by strip',
  content: 'They smell of **summer**.',
  role: 'editor',
  name: 'As sent',
  isRemembered: false,
  level: 'mentions',
}

/** The ids of one project with one resource of each kind. */
export type ResourceIds = Record<string, string>

/** Creates a public project of the person, so that nothing is hidden from anybody. */
export async function createResources(t: TestApp, owner: Person): Promise<ResourceIds> {
  const { _id: projectId } = await t.project(owner, { isPublic: true })
  const { _id: milestoneId } = await t.milestone(owner, projectId)
  const entry = await t.entry(owner, milestoneId)
  const revisionId = await t.revisionOf(owner, entry)
  const { _id: collaboratorId, inviteToken } = await t.invitation(owner, projectId)
  const webhook = await t.call(
    'createWebhook',
    { params: { projectId }, body: { url: 'https://example.test' } },
    { as: owner },
  )
  const webhookId = webhook.webhook._id
  const share = await t.call(
    'createShareLink',
    { params: { projectId }, body: { name: 'Family' } },
    { as: owner },
  )
  const linkId = share.link._id
  const entryId = entry._id
  const ids = { projectId, milestoneId, entryId, revisionId, collaboratorId, inviteToken, webhookId, linkId }
  return { ...ids, bulkChangeId: projectId }
}

/** Returns the names of the ids in the path of a call. */
export const idsIn = ({ path }: Call) => Array.from(path.matchAll(/:(\w+)/g), ([, name = '']) => name)

export const named = Object.entries(calls) as [CallName, Call][]

/** Sends a valid request of a call with these ids. */
export async function send(t: TestApp, name: CallName, ids: ResourceIds, sender: Person, payload?: object) {
  const call: Call = calls[name]
  const url = call.path.replaceAll(/:(\w+)/g, (_, id: string) => ids[id] ?? 'none')
  const response = await t.app.inject({
    method: call.method,
    url,
    headers: sender.headers,
    ...(payload && { payload }),
  })
  return { status: response.statusCode, succeeded: response.statusCode === successStatus(call), response }
}
