/** A file of a ZIP archive as it was written: `expected` is its size as announced, `size` as counted. */
export type Written = {
  path: string
  mtime: Date
  offset: number
  expected: number
  size: number
  compressedSize: number
  crc: number
  /** Not compressed, and with its size and checksum before its bytes. */
  isStored: boolean
}

/** The records of the ZIP format (APPNOTE 6.3.10, sections 4.3 and 4.5), little-endian. */
const MAX_32 = 0xffff_ffff
const MAX_16 = 0xffff
/** Sizes from which a file is announced with 64 bits, with some room for the 5 bytes that deflate adds to each block. */
const LARGE = 0xff00_0000
const VERSION = 20
const VERSION_ZIP64 = 45
/** Made on Unix by version 6.3, so that the mode is valid. */
const MADE_BY = (3 << 8) | 63
const MODE = (0o100_644 << 16) >>> 0
/** Bit 3: sizes and checksum follow the bytes. Bit 11: the name is UTF-8. */
const FLAGS = (1 << 3) | (1 << 11)
const DEFLATE = 8
const STORED = 0

type Width = 2 | 4 | 8

/** Joins numbers, each with its width in bytes, and bytes. */
function packed(...fields: ([value: number, width: Width] | Buffer)[]): Buffer {
  return Buffer.concat(
    fields.map((field) => {
      if (Buffer.isBuffer(field)) return field
      const [value, width] = field
      const bytes = Buffer.alloc(width)
      if (width === 8) bytes.writeBigUInt64LE(BigInt(value))
      else bytes.writeUIntLE(value, 0, width)
      return bytes
    }),
  )
}

/** The flags and the method. */
const methodOf = ({ isStored }: Written): Parameters<typeof packed> =>
  isStored
    ? [
        [0, 2],
        [STORED, 2],
      ]
    : [
        [FLAGS, 2],
        [DEFLATE, 2],
      ]

/** The first file of an EPUB has no extra fields. */
const timeOf = ({ isStored, mtime }: Written) => (isStored ? [] : timeField(mtime))

const isLarge = ({ expected }: Written) => expected >= LARGE

/** Precedes a file. Only a large file has the extra field of 64 bits, by which readers know the width of its descriptor. */
export function localHeader(file: Written): Buffer {
  const name = Buffer.from(file.path)
  const size = file.isStored ? file.size : isLarge(file) ? MAX_32 : 0
  const extra = packed(...(isLarge(file) ? zip64Field([0, 0]) : []), ...timeOf(file))
  return packed(
    [0x0403_4b50, 4],
    [isLarge(file) ? VERSION_ZIP64 : VERSION, 2],
    ...methodOf(file),
    dosTime(file.mtime),
    [file.isStored ? file.crc : 0, 4],
    [size, 4],
    [size, 4],
    [name.length, 2],
    [extra.length, 2],
    name,
    extra,
  )
}

/** Follows a file. */
export function dataDescriptor(file: Written): Buffer {
  const width = isLarge(file) ? 8 : 4
  return packed([0x0807_4b50, 4], [file.crc, 4], [file.compressedSize, width], [file.size, width])
}

/** A file in the directory at the end of the archive. */
export function centralRecord(file: Written): Buffer {
  const name = Buffer.from(file.path)
  const numbers = [file.size, file.compressedSize, file.offset]
  const wide = numbers.filter((number) => number >= MAX_32)
  const [size = 0, compressedSize = 0, offset = 0] = numbers.map((number) => Math.min(number, MAX_32))
  const extra = packed(...(wide.length > 0 ? zip64Field(wide) : []), ...timeOf(file))
  return packed(
    [0x0201_4b50, 4],
    [MADE_BY, 2],
    [wide.length > 0 || isLarge(file) ? VERSION_ZIP64 : VERSION, 2],
    ...methodOf(file),
    dosTime(file.mtime),
    [file.crc, 4],
    [compressedSize, 4],
    [size, 4],
    [name.length, 2],
    [extra.length, 2],
    // No comment, the first disk, no internal attributes.
    [0, 2],
    [0, 2],
    [0, 2],
    [MODE, 4],
    [offset, 4],
    name,
    extra,
  )
}

type Directory = { count: number; start: number; size: number }

/** Ends the archive. Numbers that do not fit are in the records of 64 bits before it. */
export function endRecords({ count, start, size }: Directory): Buffer {
  const isWide = count >= MAX_16 || start >= MAX_32 || size >= MAX_32
  return packed(
    ...(isWide ? zip64EndRecords({ count, start, size }) : []),
    [0x0605_4b50, 4],
    [0, 2],
    [0, 2],
    [Math.min(count, MAX_16), 2],
    [Math.min(count, MAX_16), 2],
    [Math.min(size, MAX_32), 4],
    [Math.min(start, MAX_32), 4],
    [0, 2],
  )
}

const zip64EndRecords = ({ count, start, size }: Directory): Parameters<typeof packed> => [
  [0x0606_4b50, 4],
  [44, 8],
  [MADE_BY, 2],
  [VERSION_ZIP64, 2],
  [0, 4],
  [0, 4],
  [count, 8],
  [count, 8],
  [size, 8],
  [start, 8],
  // The locator of the record above.
  [0x0706_4b50, 4],
  [0, 4],
  [start + size, 8],
  [1, 4],
]

const zip64Field = (numbers: number[]): Parameters<typeof packed> => [
  [1, 2],
  [numbers.length * 8, 2],
  ...numbers.map((number): [number, Width] => [number, 8]),
]

/** The time in seconds, since that of MS-DOS has no zone. */
function timeField(time: Date): Parameters<typeof packed> {
  const seconds = Math.floor(time.getTime() / 1_000)
  const isValid = seconds >= 0 && seconds <= 0x7fff_ffff
  return isValid ? [[0x5455, 2], [5, 2], Buffer.of(1), [seconds, 4]] : []
}

/** Time and day of MS-DOS, in UTC; its years are 1980 to 2107. */
function dosTime(time: Date): Buffer {
  const year = Math.min(Math.max(time.getUTCFullYear(), 1980), 2107)
  return packed(
    [(time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1), 2],
    [((year - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate(), 2],
  )
}
