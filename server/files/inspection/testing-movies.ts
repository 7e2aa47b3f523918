/** Returns a box of an ISO media file. */
export function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content)
  const header = Buffer.alloc(8)
  header.writeUInt32BE(body.length + 8)
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, body])
}

const words = (...numbers: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * numbers.length)
  numbers.forEach((number, index) => void bytes.writeUInt32BE(number, 4 * index))
  return bytes
}

/** The recorded creation time, in seconds since 1904. */
export const CREATED_AT = 0xe1c0ffee
export const LOCATION_TEXT = '+37.4220-122.0841/'
export const GPS_TRACK_TEXT = 'GPS positions of every second'
export const FRAMES = 'the frames of the video'

const header = (type: string, rest: Buffer) => box(type, words(0, CREATED_AT, CREATED_AT), rest)

function track(handler: string, codec: string, { at, size }: { at: number; size: number }): Buffer {
  const matrix = words(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
  const tkhd = header(
    'tkhd',
    Buffer.concat([words(1, 0, 0, 0, 0, 0, 0), matrix, words(640 << 16, 360 << 16)]),
  )
  const table = box(
    'stbl',
    box('stsd', words(0, 1), box(codec, Buffer.alloc(78))),
    box('stsc', words(0, 1, 1, 1, 1)),
    box('stsz', words(0, 0, 1, size)),
    box('stco', words(0, 1, at)),
  )
  const media = box(
    'mdia',
    header('mdhd', words(1_000, 1_000, 0)),
    box('hdlr', words(0, 0), Buffer.from(handler, 'latin1'), words(0, 0, 0), Buffer.from('\0')),
    box('minf', table),
  )
  return box('trak', tkhd, media, box('udta', box('\xa9xyz', Buffer.from(LOCATION_TEXT))))
}

type Tracks = { handler: string; codec: string; content: string }[]

export const VIDEO = { handler: 'vide', codec: 'avc1', content: FRAMES }
export const SOUND = { handler: 'soun', codec: 'mp4a', content: 'the sound of the video' }
export const POSITION_TRACK = { handler: 'meta', codec: 'gpmd', content: GPS_TRACK_TEXT }

/** Returns a movie of tracks with one sample each, with time and location in every kind of metadata. */
export function movie(tracks: Tracks = [VIDEO, SOUND, POSITION_TRACK], brand = 'isom'): Buffer {
  const ftyp = box('ftyp', Buffer.from(`${brand}\0\0\x02\0isomiso2avc1mp41`, 'latin1'))
  const samples = Buffer.from(tracks.map(({ content }) => content).join(''))
  const places = tracks.map(({ content }, index) => ({
    at: ftyp.length + 8 + tracks.slice(0, index).reduce((sum, other) => sum + other.content.length, 0),
    size: content.length,
  }))
  const moov = box(
    'moov',
    header('mvhd', words(1_000, 1_000)),
    ...tracks.map(({ handler, codec }, index) => track(handler, codec, places[index] ?? { at: 0, size: 0 })),
    box('udta', box('\xa9xyz', Buffer.from(LOCATION_TEXT)), box('name', Buffer.from('Ada’s boat'))),
    box('meta', words(0), Buffer.from(`com.apple.quicktime.location.ISO6709 ${LOCATION_TEXT}`)),
  )
  const uuid = box('uuid', Buffer.from(`an extension of a camera ${LOCATION_TEXT}`))
  return Buffer.concat([ftyp, box('mdat', samples), moov, uuid])
}

const element = (id: string, ...content: Uint8Array[]): Buffer => {
  const body = Buffer.concat(content)
  const size = Buffer.alloc(8)
  size.writeBigUInt64BE((1n << 56n) | BigInt(body.length))
  return Buffer.concat([Buffer.from(id, 'hex'), size, body])
}

/** Returns a WebM file with one video track, a title and tags. */
export function webm(docType = 'webm'): Buffer {
  const video = element('e0', element('b0', Buffer.from([2, 0x80])), element('ba', Buffer.from([1, 0x68])))
  const tracks = element('1654ae6b', element('ae', element('83', Buffer.from([1])), video))
  const info = element('1549a966', element('7ba9', Buffer.from('Ada’s boat')))
  const tags = element('1254c367', Buffer.from(`LOCATION ${LOCATION_TEXT}`), Buffer.alloc(200))
  const cluster = element('1f43b675', Buffer.from(FRAMES))
  return Buffer.concat([
    element('1a45dfa3', element('4282', Buffer.from(docType))),
    element('18538067', info, tracks, tags, cluster),
  ])
}
