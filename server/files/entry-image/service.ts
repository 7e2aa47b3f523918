import { randomUUID } from 'node:crypto'
import type { Entry } from '#contract/entries.ts'
import type { AppDeps } from '#server/deps.ts'
import type { EntryImage } from '#server/files/inspection/entry-image.ts'
import { type SignedParams, VARIANTS, type Variant } from '#server/files/links.ts'
import { may } from '#server/permissions/access.ts'
import { type Caller, clientOf } from '#server/platform/calls.ts'
import { AppError, imageNotStored, notFound } from '#server/platform/errors.ts'
import type { StoredFile } from '#server/platform/files/files.ts'
import type { Upload } from '#server/platform/http/uploads.ts'
import { abandonImage, findProjectOfImage, insertImage } from './store.ts'

/** The media type of every stored image. */
export const PICTURE_TYPE = 'image/webp'

/** A stored image: its id and the size of its full variant. */
export type StoredImage = { id: string; width: number; height: number }

/** A new image, and the total size of its files. */
export type NewImage = StoredImage & { bytes: number }

/** Returns the storage key of a variant. */
const keyOf = (id: string, variant: Variant) => `images/${id.slice(-2)}/${id}-${variant}.webp`

/** Returns the storage keys of an image. */
export const imageKeys = (id: string) => VARIANTS.map((variant) => keyOf(id, variant))

/**
 * Stores an uploaded image, if there is one, and passes it to `save`, whose transaction must make an entry refer to it. Removes
 * the image if that fails. Throws `not_an_image` or `too_large`.
 */
export async function withStoredImage<T>(
  deps: AppDeps,
  caller: Caller,
  upload: Upload | null,
  save: (image: NewImage | null) => Promise<T>,
): Promise<T> {
  if (!upload) return save(null)
  const { variants, ...size } = await deps.inspector.entryImage(upload.path, clientOf(caller))
  const bytes = VARIANTS.reduce((sum, variant) => sum + variants[variant].byteLength, 0)
  const image = { id: randomUUID(), ...size, bytes }
  await insertImage(deps.db, image.id)
  try {
    await putVariants(deps, image.id, variants)
    return await save(image)
  } catch (error) {
    await abandonImage(deps.db, image.id).catch((failure: unknown) => {
      deps.log.warn(
        { err: failure },
        'an unused image could not be marked for removal, and is removed after an hour',
      )
    })
    throw error
  }
}

async function putVariants({ files, log }: AppDeps, id: string, variants: EntryImage['variants']) {
  try {
    await Promise.all(
      VARIANTS.map((variant) => files.put(keyOf(id, variant), variants[variant], PICTURE_TYPE)),
    )
  } catch (error) {
    log.error({ err: error }, 'an image could not be stored')
    throw imageNotStored()
  }
}

/** Presents an entry's image: URLs that the caller can read, and its size. */
export function imageFields(
  { links }: Pick<AppDeps, 'links'>,
  caller: Pick<Caller, 'userId'> | null,
  isPublic: boolean,
): (image: StoredImage) => Required<Pick<Entry, 'imageURL' | 'image'>> {
  return ({ id, width, height }) => {
    const urlOf = (variant: Variant) =>
      caller && !isPublic ? links.personal(id, variant, caller.userId) : links.open(id, variant)
    return { imageURL: urlOf('full'), image: { smallURL: urlOf('small'), width, height } }
  }
}

/** Requires that the reader of the signed link, or everybody, may view the image now. Returns for how many seconds the link is valid. */
export async function requireImageAccess(
  { db, links }: AppDeps,
  id: string,
  signed: SignedParams | null,
): Promise<number> {
  const seconds = signed ? links.secondsLeft(id, signed) : 0
  const reader = signed && seconds > 0 ? { userId: signed.reader } : null
  const projectId = await findProjectOfImage(db, id, reader?.userId ?? null)
  if (projectId === undefined || !(await may(db, reader, 'project:view', projectId))) throw notFound('Image')
  return seconds
}

/** Opens a variant of an image, after `requireImageAccess`. Throws `not_found` or `unavailable`. */
export async function openImage({ files, log }: AppDeps, id: string, variant: Variant): Promise<StoredFile> {
  const file = await files.read(keyOf(id, variant)).catch((error: unknown) => {
    log.error({ err: error }, 'an image could not be read')
    throw new AppError('unavailable', 'The image cannot be read right now', { retryAfter: 10 })
  })
  if (!file) {
    log.warn({ key: keyOf(id, variant) }, 'an image is missing from the storage')
    throw notFound('Image')
  }
  return file
}
