import { z } from 'zod'
import { defineCalls } from './parts/call.ts'
import { DEFAULT_COVER } from './parts/covers.ts'
import { line } from './parts/text.ts'
import { fields, id, ids, list, ownId } from './parts/wire.ts'

/** The maximum number of files that one call reserves or lists. */
export const FILES_MAX = 100
export const FILE_NAME_MAX = 255
const FILE_TYPE_MAX = 255
/** Far above every limit that operators may set. */
const SIZE_MAX = 100_000_000_000

const tooManyFiles = `At most ${FILES_MAX} files can be sent together`

export const FILE_KINDS = ['image', 'video', 'audio', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** Reserves ids, so that a text can refer to `/files/{id}`, and be saved, before the bytes are uploaded. */
export const filesReservation = fields({
  files: list(
    z
      .array(
        fields({
          ...ownId,
          name: line('The name of a file', FILE_NAME_MAX),
          /** The exact size of the later upload, in bytes. */
          size: z
            .int({ error: 'The size of a file must be a whole number' })
            .min(1, { error: 'A file must not be empty' })
            .max(SIZE_MAX, { error: 'A file of this size cannot be stored' }),
          /** The media type according to the browser. Only the content decides which type is served. */
          type: z.string({ error: 'The type of a file must be text' }).max(FILE_TYPE_MAX).default(''),
        }),
        { error: 'Files must be a list' },
      )
      .min(1, { error: 'At least one file must be named' }),
    FILES_MAX,
    tooManyFiles,
  ),
})
export type FilesReservation = z.infer<typeof filesReservation>

/** The maximum size of a file of each kind, in bytes, and the maximum number of files in an entry, by the operator's settings. */
export const fileLimits = z.object({
  picture: z.int(),
  /** The limit of videos and audio. */
  video: z.int(),
  other: z.int(),
  perEntry: z.int(),
})
export type FileLimits = z.infer<typeof fileLimits>

export const file = z.object({
  _id: id,
  /** The URL in Markdown: `![caption](/files/{id})`, or `[name](/files/{id})` for a download. */
  url: z.string(),
  name: z.string(),
  /** Detected from the content of a ready file; before that, derived from the browser's media type. */
  kind: z.enum(FILE_KINDS),
  type: z.string(),
  /** In bytes; for a ready file, the size of the original without its metadata. */
  size: z.int(),
  state: z.enum(['waiting', 'ready']),
  /** The size of a picture or video in upright orientation, in pixels. */
  width: z.int().optional(),
  height: z.int().optional(),
  /** Whether a picture is animated. */
  animated: z.boolean().optional(),
  /** When the picture was taken, in the local time of its camera: `YYYY-MM-DDTHH:mm:ss`. */
  takenAt: z.string().optional(),
  /** A tiny picture as a data URL, to be shown enlarged until the real one is here. */
  blur: z.string().optional(),
  /** The URL of the bytes. For a private project it is valid only for the caller and for about an hour. */
  mediaURL: z.string().optional(),
  /**
   * The still images of a picture by width, narrowest first. `mediaURL` is the widest or, for an animated picture, the animation.
   */
  sources: z.array(z.object({ url: z.string(), width: z.int() })).optional(),
  /** Only in the response to the upload: what to expect of the file, as a sentence that names it. */
  notice: z.string().optional(),
})
export type ProjectFile = z.infer<typeof file>

/** The choice of a cover: the id of a picture, null (in a form: empty) for none, or `default`. */
export const coverFile = z.preprocess(
  (value) => (value === '' ? null : value),
  z
    .union([z.uuid(), z.literal(DEFAULT_COVER)], {
      error: "coverFile must be the id of a file, null for none, or 'default'",
    })
    .nullable(),
)
/** A chosen cover: its file, also while it waits for its bytes, or null for none. Absent without a choice. */
export const chosenCover = id.nullable().optional()

/** Present with the URL of a cover: its size in pixels, a small version for cards, and its versions by their width. */
export const coverImage = z.object({
  smallURL: z.string(),
  width: z.int(),
  height: z.int(),
  sources: z.array(z.object({ url: z.string(), width: z.int() })),
})

/** The number of the tint of a project's contour lines, if it has a picture that is not shown (`parts/contours.ts`). */
export const contourTint = z.int().min(0).max(4).optional()

const idList = z
  .string({ error: 'ids must be a list of ids' })
  .max(FILES_MAX * 37, { error: tooManyFiles })
  .transform((text) => text.split(','))
  .pipe(z.array(id).max(FILES_MAX, { error: tooManyFiles }))

export const fileCalls = defineCalls({
  reserveFiles: {
    method: 'POST',
    path: '/api/projects/:projectId/files',
    who: 'signed-in',
    scope: 'write',
    needs: 'content:edit',
    summary: 'Reserve files, which are then uploaded one by one',
    params: ids('projectId'),
    body: filesReservation,
    responses: { 201: z.array(file) },
  },
  uploadFile: {
    method: 'PUT',
    path: '/api/files/:fileId/content',
    who: 'signed-in',
    scope: 'write',
    summary: 'Upload the bytes of a reserved file; only the person who reserved it can',
    params: ids('fileId'),
    bytes: true,
    responses: { 200: file },
  },
  listFiles: {
    method: 'GET',
    path: '/api/projects/:projectId/files',
    who: 'either',
    scope: 'read',
    summary: 'The files with these ids that I may see, ordered by id',
    params: ids('projectId'),
    query: z.object({ ids: idList }),
    responses: { 200: z.array(file) },
  },
  deleteFile: {
    method: 'DELETE',
    path: '/api/files/:fileId',
    who: 'signed-in',
    scope: 'write',
    summary: 'Delete a file that no text uses; only its uploader can',
    params: ids('fileId'),
    responses: { 204: null },
  },
})
