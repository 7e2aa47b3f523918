import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { createByteCache } from '#server/platform/byte-cache.ts'
import type { Encoding } from '#server/platform/encoding.ts'
import type { Stamps } from '#server/world/stamps.ts'
import { encodePage, type FinishedPage, validatorOf } from './finished.ts'
import type { Place } from './renderer.ts'

/** How much the finished pages of one process may take. */
const MAX_BYTES = 32 * 1024 * 1024
/** The same of those that say that something is missing; there are but a few kinds of them. */
const MAX_MISSING_BYTES = 1024 * 1024
/** What a page keeps beside its body: its headers, about. */
const HEADERS_BYTES = 2_048
const MAX_VALIDATORS = 5_000

const sizeOf = ({ body }: FinishedPage) => HEADERS_BYTES + body.length

type Means = {
  /** Absent: what belongs to a project is not kept. */
  stamps?: Stamps | undefined
  clock: () => Date
  /** What changes with anything that all pages share. */
  edition: (log: FastifyBaseLogger) => Promise<string>
  make: (address: string, log: FastifyBaseLogger, validator?: string) => Promise<FinishedPage>
}

/** A page that can be told apart before it is made; one that says that something is missing has no validator. */
export type KeptPage = { validator?: string; inEncoding: (encoding: Encoding) => Promise<FinishedPage> }

/** What is kept of a page now, in each encoding in which somebody asked for it. */
export type RecalledPage = { validator: string; inEncoding: (encoding: Encoding) => FinishedPage | undefined }

export type Keeper = ReturnType<typeof createKeeper>

/** Keeps the finished pages of what is public, each under all that it depends on. */
export function createKeeper({ stamps, clock, edition, make }: Means) {
  let current: string | undefined
  const pages = createByteCache<FinishedPage>({
    maxBytes: MAX_BYTES,
    sizeOf,
    keeps: ({ status }) => status === 200,
  })
  const missing = createByteCache<FinishedPage>({
    maxBytes: MAX_MISSING_BYTES,
    sizeOf,
    keeps: ({ status }) => status === 404,
  })
  const validators = new LRUCache<string, { state: string; validator: string }>({ max: MAX_VALIDATORS })
  /** How a place's page was recalled last, so that its names need not be put together for every answer. */
  const recalled = new WeakMap<Place, { stamp: string; page: RecalledPage }>()

  /** The name of a place's page in this state; hashed only when the state is another than the last. */
  function validatorAt(address: string, state: string): string {
    const last = validators.get(address)
    if (last?.state === state) return last.validator
    const validator = validatorOf([address, state])
    validators.set(address, { state, validator })
    return validator
  }

  /** On what the pages depend that are nobody's own. */
  const year = () => String(clock().getUTCFullYear())

  /** What the page of a place shows now: null where that is for nobody to see, undefined where it cannot be told. */
  async function stampAt({ projectId }: Place, log: FastifyBaseLogger): Promise<string | null | undefined> {
    if (projectId === undefined) return year()
    try {
      return await stamps?.read(projectId)
    } catch (error) {
      // The page is then rendered, and says itself what is wrong.
      log.warn({ err: error }, 'whether a project is public could not be read')
      return undefined
    }
  }

  /** The page of a place as it is now, on every process the same; null where nothing can be kept. */
  async function find(place: Place, log: FastifyBaseLogger): Promise<KeptPage | null> {
    if (place.address === place.missing) return whatIsMissing(place.missing, log)
    const stamp = await stampAt(place, log)
    if (stamp === null && place.missing !== undefined) return whatIsMissing(place.missing, log)
    if (stamp === null || stamp === undefined) return null
    current ??= await edition(log)
    const validator = validatorAt(place.address, `${current} ${stamp}`)
    const inEncoding = keptIn(pages, validator, () => make(place.address, log, validator))
    return { validator, inEncoding }
  }

  /** The page of everything of a kind that is private or was never there: nobody can tell the two apart. */
  const whatIsMissing = (address: string, log: FastifyBaseLogger): KeptPage => ({
    inEncoding: keptIn(missing, address, () => make(address, log)),
  })

  /** What `find` would find, where nothing has to be looked at or made for it; null otherwise. */
  function recall(place: Place): RecalledPage | null {
    const { projectId } = place
    return recallIn(place, projectId === undefined ? year() : stamps?.leased(projectId))
  }

  /** What `find` would find, where nothing has to be made for it; null otherwise. Rejects where the look fails. */
  async function recallAnew(place: Place): Promise<RecalledPage | null> {
    const { projectId } = place
    return recallIn(place, projectId === undefined ? year() : await stamps?.read(projectId))
  }

  function recallIn(place: Place, stamp: string | null | undefined): RecalledPage | null {
    if (stamp === null || stamp === undefined || current === undefined) return null
    const last = recalled.get(place)
    if (last?.stamp === stamp) return last.page
    const validator = validatorAt(place.address, `${current} ${stamp}`)
    const names = { identity: validator, gzip: nameIn(validator, 'gzip'), br: nameIn(validator, 'br') }
    const page: RecalledPage = { validator, inEncoding: (encoding) => pages.get(names[encoding]) }
    recalled.set(place, { stamp, page })
    return page
  }

  return { find, recall, recallAnew }
}

type Pages = ReturnType<typeof createByteCache<FinishedPage>>

/** A page as it is kept under a name, in each encoding; `make` makes it. */
function keptIn(pages: Pages, name: string, make: () => Promise<FinishedPage>): KeptPage['inEncoding'] {
  const plain = () => pages.obtain(name, make)
  return (encoding) =>
    encoding === 'identity'
      ? plain()
      : pages.obtain(nameIn(name, encoding), async () => encodePage(await plain(), encoding))
}

const nameIn = (name: string, encoding: Encoding) => (encoding === 'identity' ? name : `${name} ${encoding}`)
