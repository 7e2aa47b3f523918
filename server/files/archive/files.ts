import { fileKey } from '#server/files/storage-keys.ts'
import { createFolder, fileNameOf } from './names.ts'
import type { FileRecord } from './store.ts'

export { listFiles } from './store.ts'

/** A file of the archive: a text, or the key of a file in the file store. */
export type Item = { path: string; at: string } & ({ text: string } | { key: string })

/** Adds an item to the archive; resolves once it has been written. */
export type Add = (item: Item) => Promise<void>

/** A directory of files. A file that several texts use is added once. */
export function createFiles(folder: string, add: Add) {
  const name = createFolder()
  const names = new Map<string, string>()
  return {
    folder,
    async added(records: FileRecord[]) {
      const shown = []
      for (const { id, attempt, kind: _kind, widths: _widths, ...file } of records) {
        const given = names.get(id) ?? name(fileNameOf(file.name))
        if (!names.has(id)) {
          names.set(id, given)
          const at = file.created_at.toISOString()
          await add({ path: `${folder}/${given}`, at, key: fileKey({ id, attempt }, 'original') })
        }
        const { type, size, taken_at: takenAt } = file
        shown.push({
          _id: id,
          path: `${folder}/${given}`,
          name: given,
          originalName: file.name,
          type,
          size,
          ...(takenAt !== null && { takenAt }),
          createdAt: file.created_at.toISOString(),
        })
      }
      return shown
    },
  }
}

/** The fields of a front matter: text, numbers and lists of text; undefined and null are omitted. */
type FrontMatter = { [name: string]: string | number | string[] | null | undefined }

/** Returns a Markdown file with front matter in YAML, and the unchanged text. */
export function documentOf(matter: FrontMatter, text: string): string {
  const lines = Object.entries(matter).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [`${name}: ${yamlOf(value)}`],
  )
  return `---\n${lines.join('\n')}\n---\n\n${text}${text === '' || text.endsWith('\n') ? '' : '\n'}`
}

/** JSON is YAML after escaping the characters that YAML treats as non-printable. */
const yamlOf = (value: string | number | string[]) =>
  JSON.stringify(value).replaceAll(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g, (character) => {
    const code = character.charCodeAt(0).toString(16)
    return `\\u${code.padStart(4, '0')}`
  })

const reference = /([(<\s])\/files\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?![\w-])/gi

/** Makes references to files relative: `paths` has each file's path from the folder of the document. */
export function withRelativeLinks(text: string, paths: ReadonlyMap<string, string>): string {
  return text.replace(reference, (whole, before: string, id: string) => {
    const path = paths.get(id.toLowerCase())
    return path === undefined ? whole : `${before}${encodedPath(path)}`
  })
}

/** Escapes a path for a Markdown link. */
const encodedPath = (path: string) =>
  path
    .split('/')
    .map((segment) => encodeURIComponent(segment).replaceAll('(', '%28').replaceAll(')', '%29'))
    .join('/')
