import { afterAll, describe, expect, it } from 'vitest'
import { sendForm } from '#server/testing/form.ts'
import { fileFixture, shown } from './testing-uploads.ts'

const { t, owner, files, jpeg, photograph, newMilestone, statusOf } = await fileFixture()
afterAll(() => t.close())

const widest = (id: string) => `/api/media/${id}/widest`
const projectOf = (projectId: string) => t.call('readProject', { params: { projectId } }, { as: owner })

async function twoPictures() {
  const place = await newMilestone({ isPublic: true })
  const first = await files.upload(owner, place.projectId, { bytes: photograph })
  const second = await files.upload(owner, place.projectId, { bytes: jpeg })
  return { ...place, first, second, content: `Before\n\n${shown(second)}\n\n${shown(first)}` }
}

describe('the default cover', () => {
  it('of an entry is the first picture of its text, until another or none is chosen', async () => {
    const { milestoneId, first, second, content } = await twoPictures()
    const created = await t.entry(owner, milestoneId, { content })
    expect(created).toMatchObject({ imageURL: widest(second._id) })
    expect(created).not.toHaveProperty('coverFile')
    const params = { milestoneId, entryId: created._id }
    const update = (body: object) => t.call('updateEntry', { params, body }, { as: owner })
    expect(await update({ content: `${shown(first)}\n\n${shown(second)}` })).toMatchObject({
      imageURL: widest(first._id),
    })
    expect(await update({ coverFile: second._id })).toMatchObject({ imageURL: widest(second._id) })
    const none = await update({ coverFile: null })
    expect(none).toMatchObject({ coverFile: null })
    expect(none).not.toHaveProperty('imageURL')
    expect(await update({ title: 'Still none' })).not.toHaveProperty('imageURL')
    expect(await update({ coverFile: 'default' })).toMatchObject({ imageURL: widest(first._id) })
    expect(await update({ content: 'No picture' })).not.toHaveProperty('imageURL')
  })

  it('of an entry is on cards and on public pages, and no film or foreign file', async () => {
    const { projectId, milestoneId, second, content } = await twoPictures()
    const stranger = await t.person()
    const elsewhere = await newMilestone({ as: stranger })
    const foreign = shown(await files.upload(stranger, elsewhere.projectId, { bytes: jpeg }))
    await t.entry(owner, milestoneId, { content: `${foreign}\n\n${content}` })
    const image = { smallURL: widest(second._id) }
    const page = await t.call('listEntries', { params: { milestoneId }, query: { page: 1 } })
    expect(page).toMatchObject({ entries: [{ imageURL: widest(second._id) }] })
    const world = await t.call('readWorldPage', { params: { projectId } })
    expect(world).toMatchObject({ shown: { entries: [{ image }] } })
  })

  it('is on an invitation, and colors the contour lines where it is not shown: in a list, and if the project is to have no cover', async () => {
    const { projectId, milestoneId, content } = await twoPictures()
    await t.entry(owner, milestoneId, { content })
    const grace = await t.person()
    const { inviteToken } = await t.invitation(owner, projectId, { email: grace.email })
    const told = await t.call('acceptInvitation', { params: { inviteToken } })
    expect(told).toMatchObject({ project: { imageURL: `/invite/${inviteToken}/cover` } })
    expect(told).not.toMatchObject({ project: { tint: 1 } })
    const invited = await t.call('listMyCollaborations', { query: { status: 'pending' } }, { as: grace })
    expect(invited).toMatchObject({ collaborations: [{ project: { tint: 1 } }] })
    expect(invited.collaborations[0]?.project).not.toHaveProperty('state')

    expect(await projectOf(projectId)).not.toHaveProperty('tint')
    const { version } = await projectOf(projectId)
    const update = {
      params: { projectId },
      body: { coverFile: null },
      headers: { 'if-match': `"${version}"` },
    }
    expect(await t.call('updateProject', update, { as: owner })).toMatchObject({ coverFile: null, tint: 1 })
    const world = await t.call('readWorld', { params: { projectId } })
    expect(world).toMatchObject({ project: { tint: 1 } })
  })

  it('gives way to an image of a form, and comes back with its removal', async () => {
    const { milestoneId, second, content } = await twoPictures()
    const url = `/api/milestones/${milestoneId}/entries`
    const sent = await sendForm(t.app, {
      url,
      as: owner,
      fields: { title: 'x', content },
      image: { bytes: jpeg },
    })
    const { _id: entryId, imageURL } = sent.json()
    expect(imageURL).not.toBe(widest(second._id))
    const updated = await t.call(
      'updateEntry',
      { params: { milestoneId, entryId }, body: { removeImage: true } },
      { as: owner },
    )
    expect(updated).toMatchObject({ imageURL: widest(second._id) })
  })

  it('of a project is the cover of its newest entry with one, until another or none is chosen', async () => {
    const { projectId, milestoneId, first, second } = await twoPictures()
    const { _id: later } = await t.milestone(owner, projectId)
    const on = (day: string) => ({ happenedOn: day })
    expect(await projectOf(projectId)).not.toHaveProperty('imageURL')
    const newest = await t.entry(owner, milestoneId, { content: shown(second), ...on('2026-03-02') })
    await t.entry(owner, later, { content: shown(first), ...on('2026-03-01') })
    await t.entry(owner, later, { content: 'No picture', ...on('2026-03-03') })
    expect(await projectOf(projectId)).toMatchObject({ imageURL: widest(second._id) })
    expect(await t.call('readWorldPage', { params: { projectId } })).toMatchObject({
      project: { imageURL: widest(second._id) },
    })
    const update = (body: object) => t.call('updateProject', { params: { projectId }, body }, { as: owner })
    const none = await update({ coverFile: null })
    expect(none).toMatchObject({ coverFile: null })
    expect(none).not.toHaveProperty('imageURL')
    expect(await update({ coverFile: 'default' })).toMatchObject({ imageURL: widest(second._id) })
    const params = { milestoneId, entryId: newest._id }
    await t.call('deleteEntry', { params }, { as: owner })
    expect(await projectOf(projectId)).toMatchObject({ imageURL: widest(first._id) })
    await t.call('deleteMilestone', { params: { projectId, milestoneId: later } }, { as: owner })
    expect(await projectOf(projectId)).not.toHaveProperty('imageURL')
  })

  it('of a project is on the cards of its members, and in no invitation', async () => {
    const { projectId, milestoneId, first, content } = await twoPictures()
    await t.entry(owner, milestoneId, { content: shown(first) + content })
    const guest = await t.person()
    const invitation = { params: { projectId }, body: { email: guest.email, role: 'viewer' } } as const
    const { inviteToken = '' } = await t.call('inviteCollaborator', invitation, { as: owner })
    const stateOf = async () => {
      const query = { status: 'all' } as const
      const { collaborations } = await t.call('listMyCollaborations', { query }, { as: guest })
      return collaborations[0]?.project
    }
    expect(await stateOf()).not.toHaveProperty('state')
    await t.call('acceptInvitation', { params: { inviteToken } }, { as: guest })
    expect(await stateOf()).toMatchObject({ state: { imageURL: widest(first._id) } })
  })

  it('of a project is never a picture of a draft', async () => {
    const { projectId, milestoneId, content, second } = await twoPictures()
    const draft = await t.entry(owner, milestoneId, { content, state: 'draft' })
    expect(draft.imageURL).toContain(second._id)
    expect(await projectOf(projectId)).not.toHaveProperty('imageURL')
    expect(await statusOf(widest(second._id))).toBe(404)
    const params = { milestoneId, entryId: draft._id }
    await t.call('updateEntry', { params, body: { state: 'published' } }, { as: owner })
    expect(await projectOf(projectId)).toMatchObject({ imageURL: widest(second._id) })
    await t.call('updateEntry', { params, body: { state: 'draft' } }, { as: owner })
    expect(await projectOf(projectId)).not.toHaveProperty('imageURL')
  })

  it('of a project may be the image of an entry', async () => {
    const { projectId, milestoneId } = await twoPictures()
    const url = `/api/milestones/${milestoneId}/entries`
    const fields = { title: 'x', content: 'y' }
    const { imageURL } = (await sendForm(t.app, { url, as: owner, fields, image: { bytes: jpeg } })).json()
    expect(await projectOf(projectId)).toMatchObject({ imageURL })
    const { project } = await t.call('readWorldPage', { params: { projectId } })
    expect(project).toMatchObject({ imageURL })
    expect(await statusOf(`/world/${projectId}/picture`)).not.toBe(500)
  })

  it('is restored with its version, and kept in an autosaved draft', async () => {
    const { projectId, milestoneId, second, content } = await twoPictures()
    const created = await t.entry(owner, milestoneId, { content })
    const params = { milestoneId, entryId: created._id }
    const editor = await t.member(projectId, 'editor')
    await t.call('updateEntry', { params, body: { coverFile: null } }, { as: editor })
    const { revisions } = await t.call('listRevisions', { params, query: {} }, { as: owner })
    const ref = { params: { ...params, revisionId: revisions[1]?._id ?? '' } }
    expect(await t.call('restoreRevision', ref, { as: owner })).toMatchObject({
      imageURL: widest(second._id),
    })
    for (const coverFile of ['none', 'default', second._id, null]) {
      const ref = { params: { draftId: crypto.randomUUID() } }
      await t.call('saveDraft', { ...ref, body: { title: 'x', content, coverFile } }, { as: owner })
      expect(await t.call('readDraft', ref, { as: owner })).toMatchObject({ coverFile })
    }
  })
})
