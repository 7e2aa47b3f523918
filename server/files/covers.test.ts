import { afterAll, describe, expect, it } from 'vitest'
import { movie } from './inspection/testing-movies.ts'
import { fileFixture, shown } from './testing-uploads.ts'

const { t, owner, files, jpeg, photograph, newMilestone, statusOf } = await fileFixture()
afterAll(() => t.close())

describe('a cover', () => {
  it('of an entry is shown as its image until it is removed', async () => {
    const { projectId, milestoneId } = await newMilestone({ isPublic: true })
    const file = await files.upload(owner, projectId, { bytes: photograph })
    const params = { milestoneId }
    const created = await t.call(
      'createEntry',
      { params, body: { title: 'x', content: 'y', coverFile: file._id } },
      { as: owner },
    )
    const cover = {
      coverFile: file._id,
      imageURL: `/api/media/${file._id}/widest`,
      image: {
        smallURL: `/api/media/${file._id}/960`,
        width: 1_200,
        height: 80,
        sources: [
          { url: `/api/media/${file._id}/480`, width: 480 },
          { url: `/api/media/${file._id}/960`, width: 960 },
          { url: `/api/media/${file._id}/widest`, width: 1_200 },
        ],
      },
    }
    expect(created).toMatchObject(cover)
    expect(await t.call('listEntries', { params })).toMatchObject([cover])
    expect(await t.call('listEntries', { params, query: { page: 1 } })).toMatchObject({ entries: [cover] })
    expect(await t.call('readWorld', { params: { projectId } })).toMatchObject({
      milestones: [{ entries: [cover] }],
    })
    const ref = { params: { milestoneId, entryId: created._id } }
    expect(await t.call('updateEntry', { ...ref, body: { title: 'z' } }, { as: owner })).toMatchObject(cover)
    expect(await statusOf(cover.imageURL)).toBe(200)
    const without = await t.call('updateEntry', { ...ref, body: { coverFile: null } }, { as: owner })
    expect(without).not.toHaveProperty('imageURL')
    expect(without).toMatchObject({ coverFile: null })
    expect(await statusOf(cover.imageURL)).toBe(404)
  })

  it('of a project is shown to whoever has the link of an open invitation, until it is withdrawn', async () => {
    const { projectId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: photograph })
    const invited = await t.person()
    const { inviteToken, _id } = await t.invitation(owner, projectId, { email: invited.email })
    const lookUp = () => t.call('acceptInvitation', { params: { inviteToken } })
    expect(JSON.stringify(await lookUp())).not.toContain('/cover')
    await t.call('updateProject', { params: { projectId }, body: { coverFile: file._id } }, { as: owner })
    const url = `/invite/${inviteToken}/cover`
    expect(await lookUp()).toMatchObject({ project: { imageURL: url } })
    const pending = { query: { status: 'pending' } } as const
    expect(await t.call('listMyCollaborations', pending, { as: invited })).toMatchObject({
      collaborations: [{ project: { imageURL: url } }],
    })
    const program = await t.program(invited)
    expect(JSON.stringify(await t.call('listMyCollaborations', pending, { as: program }))).not.toContain(
      '/cover',
    )
    const sent = await t.app.inject(url)
    expect([sent.statusCode, sent.headers['content-type'], sent.headers['cache-control']]).toEqual([
      200,
      'image/webp',
      'private, no-cache',
    ])
    expect(await statusOf(`/invite/${inviteToken}x/cover`)).toBe(404)
    const ref = { params: { projectId, collaboratorId: _id } }
    await t.call('removeCollaborator', ref, { as: owner })
    expect(await statusOf(url)).toBe(404)
  })

  it('of a project is shown to everybody who may view the project, including on its public page', async () => {
    const { projectId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: photograph })
    const params = { projectId }
    const update = (body: object, as = owner) => t.call('updateProject', { params, body }, { as })
    const { imageURL, image } = await update({ coverFile: file._id })
    expect(image).toMatchObject({ width: 1_200, height: 80 })
    expect(await statusOf(imageURL)).toBe(200)
    expect(await t.call('listProjects', {}, { as: owner })).toContainEqual(
      expect.objectContaining({ _id: projectId, coverFile: file._id }),
    )
    const viewer = await t.member(projectId, 'viewer')
    const theirs = await t.call('readProject', { params }, { as: viewer })
    expect(await statusOf(theirs.imageURL)).toBe(200)
    expect(await statusOf(imageURL?.split('?', 1)[0])).toBe(404)
    await update({ isPublic: true })
    const { project } = await t.call('readWorldPage', { params })
    expect(project).toMatchObject({ imageURL: `/api/media/${file._id}/widest` })
    expect(await statusOf(project.imageURL)).toBe(200)
    await update({ isPublic: false })
    expect(await statusOf(project.imageURL)).toBe(404)
    const other = await newMilestone()
    const foreign = await files.upload(owner, other.projectId, { bytes: jpeg })
    await t.entry(owner, other.milestoneId, { content: shown(foreign) })
    const error = await t.refused(
      'updateProject',
      { params, body: { coverFile: foreign._id } },
      { as: owner },
    )
    expect(error).toMatchObject({ issues: [{ path: 'coverFile' }] })
    expect(await update({ coverFile: null })).not.toHaveProperty('imageURL')
  })

  it('must be a picture', async () => {
    const { projectId, milestoneId } = await newMilestone()
    const file = await files.upload(owner, projectId, { bytes: movie() })
    for (const coverFile of [file._id, 'x', 7]) {
      const body = { title: 'x', content: 'y', coverFile }
      const error = await t.refused('createEntry', { params: { milestoneId }, body }, { as: owner })
      expect(error).toMatchObject({ status: 400, issues: [{ path: 'coverFile' }] })
    }
  })
})
