import { createHash } from 'node:crypto'

/** One piece of an archive, small enough to be held in memory. */
export type Part = { name: string; bytes: Buffer }

/** A running digest over the parts of an archive. */
export function createDigest() {
  const hash = createHash('sha256')
  return {
    add: ({ name, bytes }: Part) => {
      hash.update(`${name}\n${bytes.length}\n`).update(bytes)
    },
    /** The digest in hexadecimal; nothing can be added after it. */
    end: () => hash.digest('hex'),
  }
}
