import { imageKeys } from '#server/files/entry-image/service.ts'
import { fileKey } from '#server/files/storage-keys.ts'
import { createFolder, fileNameOf } from './names.ts'
import type { EntryRecord, FileRecord } from './store.ts'

/** A file of the archive: a text, or the key of a file in the file store. */
export type Item = { path: string; at: string } & ({ text: string } | { key: string })

export type Add = (item: Item) => Promise<void>

/** A directory of files. A file that several texts use is added once. */
export function createFiles(folder: string, add: Add) {
  const name = createFolder()
  const names = new Map<string, string>()
  return {
    folder,
    async added(records: FileRecord[]) {
      const shown = []
      for (const { id, attempt, ...file } of records) {
        const given = names.get(id) ?? name(fileNameOf(file.name))
        if (!names.has(id)) {
          names.set(id, given)
          const at = file.created_at.toISOString()
          await add({ path: `${folder}/${given}`, at, key: fileKey({ id, attempt }, 'original') })
        }
        const { type, size } = file
        shown.push({ _id: id, path: `${folder}/${given}`, name: given, originalName: file.name, type, size })
      }
      return shown
    },
    /** Adds the image of an entry, which has no file name, and returns the generated name. */
    async addImage(id: string, stem: string, { created_at }: EntryRecord) {
      const given = name(`${stem}.webp`)
      const [key] = imageKeys(id)
      if (key !== undefined) await add({ path: `${folder}/${given}`, at: created_at.toISOString(), key })
      return given
    },
  }
}
