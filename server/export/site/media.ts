import type { Db } from '#server/database/rows.ts'
import { FILE_VARIANTS, type FileVariant, fileKey, variantsOf } from '#server/files/storage-keys.ts'
import { listPersonPictures, listStoredFiles } from './store.ts'

type StoredFile = Awaited<ReturnType<typeof listStoredFiles>>[number]

/** The pictures, films and files that a site shows. */
export type Media = {
  /** Learns of the files that a page refers to. */
  look: (html: string) => Promise<void>
  /** Returns the file of the site for a path on the server, which is then part of the site; undefined if it is not stored. */
  pathOf: (pathname: string) => string | undefined
  /** The files of the site by their paths, with their keys in the store. */
  shown: ReadonlyMap<string, string>
  /** The pictures of authors by their paths, with their ids. */
  people: ReadonlyMap<string, string>
}

const MEDIA = /\/(?:api\/media|files)\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})(?:\/(\w+))?/g

const PERSON = /\/api\/media\/people\/([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/g

export function createMedia(db: Db): Media {
  const files = new Map<string, StoredFile | null>()
  const shown = new Map<string, string>()
  const known = new Map<string, boolean>()
  const people = new Map<string, string>()

  async function lookForPeople(html: string) {
    const ids = new Set([...html.matchAll(PERSON)].flatMap(([, id = '']) => (known.has(id) ? [] : id)))
    if (ids.size === 0) return
    const stored = new Set((await listPersonPictures(db, [...ids])).map(({ id }) => id))
    for (const id of ids) known.set(id, stored.has(id))
  }

  function pictureAt(pathname: string): string | undefined {
    const [, person] = new RegExp(`^${PERSON.source}$`).exec(pathname) ?? []
    if (person === undefined || !known.get(person)) return undefined
    const path = `media/person-${person}.webp`
    people.set(path, person)
    return path
  }

  return {
    shown,
    people,
    async look(html) {
      await lookForPeople(html)
      const ids = new Set([...html.matchAll(MEDIA)].flatMap(([, id = '']) => (files.has(id) ? [] : id)))
      if (ids.size === 0) return
      const stored = new Map((await listStoredFiles(db, [...ids])).map((file) => [file.id, file]))
      for (const id of ids) files.set(id, stored.get(id) ?? null)
    },
    pathOf(pathname) {
      const picture = pictureAt(pathname)
      if (picture !== undefined) return picture
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
  'video/quicktime': 'mov',
  'audio/mpeg': 'mp3',
  'text/plain': 'txt',
}

/** Downloads that keep their ending: neither a browser nor the host of the site runs files of these. */
const DOWNLOADS =
  /^(?:pdf|txt|csv|md|json|gpx|kml|ics|zip|gz|7z|epub|docx?|xlsx?|pptx?|od[tsp]|stl|step|3mf|dxf|heic|tiff?)$/

/** Browsers that open a file know its type by its ending alone. */
function endingOf({ type, kind, name }: StoredFile, variant: FileVariant): string {
  if (variant !== 'original') return 'webp'
  if (kind !== 'other') return ENDINGS[type] ?? type.split('/')[1]?.replace(/^x-|\+.*$/g, '') ?? 'bin'
  const own = /\.([a-z\d]{1,8})$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return DOWNLOADS.test(own) ? own : 'bin'
}
