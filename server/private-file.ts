import { randomBytes } from 'node:crypto'
import { chmod, link, open, readFile, rm, stat, writeFile } from 'node:fs/promises'

/** The operating-system user that owns a file; undefined: the user of this process. */
export type Owner = { uid: number; gid: number } | undefined

/**
 * Writes a private temporary file beside `file` and flushes it. The caller renames or links it to its name, so that a crash
 * leaves the old file or the new one. The file is created exclusively, and its owner is changed through its open handle, so
 * that `owner` cannot replace it by a link that makes root write or give away another file.
 */
export async function writeDraft(file: string, text: string, owner: Owner): Promise<string> {
  const draft = `${file}.${randomBytes(4).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    if (owner) await handle.chown(owner.uid, owner.gid)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return draft
}

/** Flushes a directory, so that its names survive a power failure. Windows has no such call and needs none. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  const handle = await open(folder, 'r')
  try {
    await handle.sync().catch((error: unknown) => {
      if (!isUnsupported(error)) throw error
    })
  } finally {
    await handle.close()
  }
}

/** Reads a secret, which is created at random on first use. Concurrent first starts get the same one. */
export async function readOrMakeSecret(file: string, owner?: Owner): Promise<string> {
  const known = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  if (known) {
    await takeFromOthers(file)
    return known
  }
  const made = randomBytes(32).toString('base64url')
  const draft = await writeDraft(file, made, owner)
  try {
    await link(draft, file)
  } catch (error) {
    if (isUnsupported(error))
      await writeFile(file, made, { flag: 'wx', mode: 0o600, flush: true }).catch(unlessThere)
    else unlessThere(error)
  } finally {
    await rm(draft)
  }
  return readFile(file, 'utf8')
}

const codeOf = (error: unknown) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** Disks without links or rights, such as a share of Windows, exFAT or some of NFS, refuse what would need them with these codes. */
const isUnsupported = (error: unknown) =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'].includes(codeOf(error))

function unlessThere(error: unknown): void {
  if (codeOf(error) !== 'EEXIST') throw error
}

/**
 * Only the owner of a file can change its rights. A secret that the operator mounts for a group stays as it is, and so does one
 * on a disk whose rights are those of its mount.
 */
async function takeFromOthers(file: string) {
  const { mode, uid } = await stat(file)
  if (uid === process.getuid?.() && (mode & 0o077) !== 0)
    await chmod(file, 0o600).catch((error: unknown) => {
      if (!isUnsupported(error)) throw error
    })
}
