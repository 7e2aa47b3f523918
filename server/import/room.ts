import { limitText } from '#contract/parts/sizes.ts'
import { Refused } from './items.ts'

/** The room on the disk that every archive may take while it is read, however little its person may store. */
const ROOM_MIN = 1_000_000_000

/**
 * Returns how many bytes an archive may take on the disk while it is read: once for the parts that it is divided into, and once for its
 * texts. Any number of records may name one text, so its own size says little of that.
 */
export const roomOf = (quota: number): number => Math.max(quota, ROOM_MIN)

/** Counts bytes that are written to the disk. `take` throws Refused for those that exceed the room. */
export function createRoom(bytes: number): { take: (length: number) => void } {
  let left = bytes
  return {
    take(length) {
      left -= length
      if (left < 0)
        throw new Refused(
          `Unpacked, the archive takes more than the ${limitText(bytes)} that there is for reading it. Import it in parts, or ask the operator of this server for more.`,
        )
    },
  }
}
