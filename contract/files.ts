import { z } from 'zod'
import { defineCalls } from './call.ts'
import { line } from './text.ts'
import { fields, id, ids, list } from './wire.ts'

/** How many files one call reserves or lists. */
export const FILES_MAX = 100
export const FILE_NAME_MAX = 255
const FILE_TYPE_MAX = 255
/** Far above every limit that an operator may set. */
const SIZE_MAX = 100_000_000_000

const tooManyFiles = `At most ${FILES_MAX} files can be sent together`

export const FILE_KINDS = ['image', 'video', 'audio', 'other'] as const
export type FileKind = (typeof FILE_KINDS)[number]

/** Reserves ids, so that a text can refer to `/files/{id}`, and be saved, before the bytes are here. */
export const filesReservation = fields({
  files: list(
    z
      .array(
        fields({
          name: line('The name of a file', FILE_NAME_MAX),
          /** The exact size of the later upload, in bytes. */
          size: z
            .int({ error: 'The size of a file must be a whole number' })
            .min(1, { error: 'A file must not be empty' })
            .max(SIZE_MAX, { error: 'A file of this size cannot be stored' }),
          /** The media type that the browser knows it by; what counts later is the content. */
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

/** The largest files of each kind, in bytes, and how many an entry may show: the operator's settings. */
export const fileLimits = z.object({
  picture: z.int(),
  /** Of videos and of audio. */
  video: z.int(),
  other: z.int(),
  perEntry: z.int(),
})
export type FileLimits = z.infer<typeof fileLimits>

export const file = z.object({
  _id: id,
  /** How Markdown refers to it: `![caption](/files/{id})`, or `[name](/files/{id})` for a download. */
  url: z.string(),
  name: z.string(),
  /** Detected from the content once it is ready; before that, declared by the browser. */
  kind: z.enum(FILE_KINDS),
  type: z.string(),
  /** In bytes: of a ready file, those of the original without its metadata. */
  size: z.int(),
  state: z.enum(['waiting', 'ready']),
  /** Of a picture or video, upright, in pixels. */
  width: z.int().optional(),
  height: z.int().optional(),
  /** Whether a picture moves. */
  animated: z.boolean().optional(),
  /** When the picture was taken, in the local time of its camera: `YYYY-MM-DDTHH:mm:ss`. */
  takenAt: z.string().optional(),
  /** A tiny picture as a data URL, to be shown enlarged until the real one is here. */
  blur: z.string().optional(),
  /** Where the bytes are. For a private project it is good for the caller alone, and for about an hour. */
  mediaURL: z.string().optional(),
  /** Of a picture: its widths, narrowest first, each a still. `mediaURL` is the widest, or what moves. */
  sources: z.array(z.object({ url: z.string(), width: z.int() })).optional(),
})
export type ProjectFile = z.infer<typeof file>

/** The picture that is the cover of an entry or a project: a file's id, or null (in a form: nothing) for none. */
export const coverFile = z.preprocess(
  (value) => (value === '' ? null : value),
  z.uuid({ error: 'coverFile must be the id of a file, or null' }).nullable(),
)

/** Beside the URL of a cover: its size in pixels, and a small one for cards. */
export const coverImage = z.object({ smallURL: z.string(), width: z.int(), height: z.int() })

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
    summary: 'Reserve files, which are uploaded one by one',
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
    summary: 'Those of some files that the caller may see, in the order of their ids',
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
