import type { Db } from '#server/database/rows.ts'
import { FILE_VARIANTS, type FileVariant, fileKey, variantsOf } from '#server/files/storage-keys.ts'
import { listStoredFiles } from './store.ts'

type StoredFile = Awaited<ReturnType<typeof listStoredFiles>>[number]

/** The pictures, films and files that a site shows. */
export type Media = {
  /** Learns of the files that a page refers to. */
  look: (html: string) => Promise<void>
  /** Returns the file of the site for a path on the server, which is then part of the site; undefined if it is not stored. */
  pathOf: (pathname: string) => string | undefined
  /** The files of the site by their paths, with their keys in the store. */
  shown: ReadonlyMap<string, string>
}

const MEDIA = /\/(?:api\/media|files)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/(\w+))?/g

export function createMedia(db: Db): Media {
  const files = new Map<string, StoredFile | null>()
  const shown = new Map<string, string>()
  return {
    shown,
    async look(html) {
      const ids = new Set([...html.matchAll(MEDIA)].flatMap(([, id = '']) => (files.has(id) ? [] : id)))
      if (ids.size === 0) return
      const stored = new Map((await listStoredFiles(db, [...ids])).map((file) => [file.id, file]))
      for (const id of ids) files.set(id, stored.get(id) ?? null)
    },
    pathOf(pathname) {
      const [, id = '', named = 'original'] = new RegExp(`^${MEDIA.source}$`).exec(pathname) ?? []
      const file = files.get(id)
      const variant = FILE_VARIANTS.find((name) => name === named)
      if (!file || !variant || !variantsOf(file).includes(variant)) return undefined
      const path = `media/${id}${variant === 'original' ? '' : `-${variant}`}.${endingOf(file, variant)}`
      shown.set(path, fileKey(file, variant))
      return path
    },
  }
}

const ENDINGS: { [type: string]: string } = {
  'image/jpeg': 'jpg',
  'image/svg+xml': 'svg',
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'text/plain': 'txt',
}

/** Browsers that open a file know its type by its ending alone. */
function endingOf({ type, name }: StoredFile, variant: FileVariant): string {
  if (variant !== 'original') return 'webp'
  const own = /\.([a-z\d]{1,8})$/i.exec(name)?.[1]?.toLowerCase()
  // A file to be downloaded keeps the ending that its owner gave it, unless a browser would run it.
  const isShown = /^(?:image|video|audio)\//.test(type)
  if (!isShown) return own === undefined || /^(?:html?|xhtml|svg|xml|js|mjs)$/.test(own) ? 'bin' : own
  return ENDINGS[type] ?? type.split('/')[1]?.replace(/^x-|\+.*$/g, '') ?? 'bin'
}
