import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import { createByteCache } from '#server/platform/byte-cache.ts'
import type { Encoding } from './encoding.ts'
import { encodePage, type FinishedPage, validatorOf } from './finished.ts'
import type { Place } from './renderer.ts'

/** How much the finished pages of one process may take. */
const MAX_BYTES = 32 * 1024 * 1024
/** What a page keeps beside its body: its headers, about. */
const HEADERS_BYTES = 2_048
const MAX_VALIDATORS = 5_000

type Means = {
  /** Of a public project, what changes with anything that its pages show; null unless it is public now. */
  stampOf: (projectId: string) => Promise<string | null>
  clock: () => Date
  /** What changes with anything that all pages share. */
  edition: (log: FastifyBaseLogger) => Promise<string>
  make: (place: Place, log: FastifyBaseLogger, validator: string) => Promise<FinishedPage>
}

/** A page that can be told apart before it is made. */
export type KeptPage = { validator: string; inEncoding: (encoding: Encoding) => Promise<FinishedPage> }

/** What is kept of a page now, in each encoding in which somebody asked for it. */
export type RecalledPage = { validator: string; inEncoding: (encoding: Encoding) => FinishedPage | undefined }

export type Keeper = ReturnType<typeof createKeeper>

/** Keeps the finished pages of what is public, each under all that it depends on. */
export function createKeeper({ stampOf, clock, edition, make }: Means) {
  let current: string | undefined
  const pages = createByteCache<FinishedPage>({
    maxBytes: MAX_BYTES,
    sizeOf: ({ body }) => HEADERS_BYTES + body.length,
    keeps: ({ status }) => status === 200,
  })

  const validators = new LRUCache<string, { state: string; validator: string }>({ max: MAX_VALIDATORS })

  /** The name of a place's page in this state; hashed only when the state is another than the last. */
  function validatorAt(address: string, state: string): string {
    const last = validators.get(address)
    if (last?.state === state) return last.validator
    const validator = validatorOf([address, state])
    validators.set(address, { state, validator })
    return validator
  }

  /** What the page of a place shows now; null where that is for nobody to see. */
  async function stampAt({ projectId }: Place): Promise<string | null> {
    return projectId === undefined ? String(clock().getUTCFullYear()) : stampOf(projectId)
  }

  async function knownStampAt(place: Place, log: FastifyBaseLogger): Promise<string | null> {
    try {
      return await stampAt(place)
    } catch (error) {
      // The page is then rendered, and says itself what is wrong.
      log.warn({ err: error }, 'whether a project is public could not be read')
      return null
    }
  }

  /** The page of a place as it is now, on every process the same; null where nothing can be kept. */
  async function find(place: Place, log: FastifyBaseLogger): Promise<KeptPage | null> {
    const stamp = await knownStampAt(place, log)
    if (stamp === null) return null
    current ??= await edition(log)
    const validator = validatorAt(place.address, `${current} ${stamp}`)
    const plain = () => pages.obtain(validator, () => make(place, log, validator))
    return {
      validator,
      inEncoding: (encoding) =>
        encoding === 'identity'
          ? plain()
          : pages.obtain(nameIn(validator, encoding), async () => encodePage(await plain(), encoding)),
    }
  }

  /** What `find` would find, where nothing is left to be made; null otherwise. Rejects where the stamp cannot be read. */
  async function recall(place: Place): Promise<RecalledPage | null> {
    const stamp = await stampAt(place)
    if (stamp === null || current === undefined) return null
    const validator = validatorAt(place.address, `${current} ${stamp}`)
    return { validator, inEncoding: (encoding) => pages.get(nameIn(validator, encoding)) }
  }

  return { find, recall }
}

const nameIn = (validator: string, encoding: Encoding) =>
  encoding === 'identity' ? validator : `${validator} ${encoding}`
