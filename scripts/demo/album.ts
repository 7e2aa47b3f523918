import { Readable } from 'node:stream'
import { acceptInvitation } from '#server/collaborators/answer-invitation.ts'
import { inviteCollaborator } from '#server/collaborators/invite.ts'
import type { AppDeps } from '#server/deps.ts'
import { reserveFiles } from '#server/files/service.ts'
import { uploadFile } from '#server/files/upload.ts'
import type { Caller } from '#server/platform/api/calls.ts'
import { unrepeated } from '#server/platform/changes/changes.ts'
import type { DemoAccount } from './accounts.ts'
import type { Subject } from './content.ts'
import { drawPicture } from './pictures/draw.ts'

/** A picture of a project, for Markdown references. */
export type AlbumPicture = { fileId: string; alt: string; caption: string }

/** The authors of a project, its owner first, and its pictures. */
export type Furnishing = { authors: Author[]; pictures: AlbumPicture[] }
export type Author = { userId: string; name: string; zone: string }

type Project = { id: string; subject: Subject; seed: number }

/** Invites the editor to a project and uploads drawn pictures, through the same services as real requests. */
export async function furnish(
  { deps }: { deps: AppDeps },
  { owner, editor }: Record<'owner' | 'editor', Pick<DemoAccount, 'name' | 'email' | 'caller'>>,
  { id, subject, seed }: Project,
): Promise<Furnishing> {
  const invitation = { email: editor.email, role: 'editor' } as const
  const { inviteToken } = await inviteCollaborator(deps, owner.caller, id, invitation, {
    rateLimit: false,
    change: unrepeated,
  })
  if (inviteToken === undefined) throw new Error('the invitation has no token')
  await acceptInvitation(deps, editor.caller, inviteToken)
  const drawn = await Promise.all(
    subject.views.map(([scene], index) => drawPicture(scene, seed * 100 + index)),
  )
  const pictures: AlbumPicture[] = []
  for (const [index, [scene, alt, caption]] of subject.views.entries()) {
    const name = `${scene}-${index + 1}.jpg`
    const fileId = await upload({ deps }, owner.caller, id, name, drawn[index] ?? Buffer.alloc(0))
    pictures.push({ fileId, alt, caption })
  }
  const authors = [
    { userId: owner.caller.userId, name: owner.name, zone: 'Europe/London' },
    { userId: editor.caller.userId, name: editor.name, zone: 'America/New_York' },
  ]
  return { authors, pictures }
}

async function upload(
  { deps }: { deps: AppDeps },
  caller: Caller,
  projectId: string,
  name: string,
  bytes: Buffer,
): Promise<string> {
  const files = [{ name, size: bytes.length, type: 'image/jpeg' }]
  const [reserved] = await reserveFiles(deps, caller, projectId, { files }, unrepeated)
  if (!reserved) throw new Error('no file was reserved')
  const { _id: fileId } = await uploadFile(deps, caller, reserved._id, Readable.from([bytes]))
  return fileId
}
