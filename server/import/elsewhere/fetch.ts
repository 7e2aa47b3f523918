import { createWriteStream } from 'node:fs'
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import type { LookupFunction } from 'node:net'
import { unescape } from 'node:querystring'
import { pipeline } from 'node:stream/promises'
import { firstCharacters } from '#contract/parts/characters.ts'
import { limitText } from '#contract/parts/sizes.ts'
import { formatOfFile, isPicture } from '#server/files/inspection/formats.ts'
import { Refused } from '#server/import/items.ts'
import {
  addressIn,
  isPublicAddress,
  PrivateAddress,
  publicLookup,
} from '#server/platform/public-addresses.ts'

const TIMEOUT_MS = 20_000
const REDIRECTS_MAX = 3
/** After so many attempts that did not reach it, a website is left alone. */
const SILENT_MAX = 3

/** How long an import waits in vain, all in all, apart from the first second of each attempt. */
const LOST_MAX_MS = 5 * 60_000
const PATIENCE_MS = 1_000
/** What is not read at all. Storage often sends pictures without their type, so they are known by their bytes. */
const NO_PICTURE = /^(?:text|audio|video)\//i

/** Writes the picture at an address to a file of at most `max` bytes, and returns its name. Throws Refused with the reason. */
export type FetchPicture = (address: string, to: string, max: number) => Promise<string>

/**
 * Returns a function that fetches pictures from websites on the Internet, and from no other network: each address to which one leads is checked
 * when it is resolved. `isAllowed`, `lookup`: for tests.
 */
export function createFetchPicture({
  isAllowed = isOnInternet,
  lookup = publicLookup(),
}: {
  isAllowed?: (url: URL) => boolean
  lookup?: LookupFunction
} = {}): FetchPicture {
  const silent = new Map<string, number>()
  let lost = 0
  return async (address, to, max) => {
    const origin = URL.parse(address)?.origin ?? ''
    if ((silent.get(origin) ?? 0) >= SILENT_MAX) throw new Refused(NO_ANSWER)
    if (lost > LOST_MAX_MS) throw new Refused(TOO_SLOW)
    const began = performance.now()
    try {
      return await fetchTo(address, to, { max, isAllowed, lookup })
    } catch (error) {
      lost += Math.max(0, performance.now() - began - PATIENCE_MS)
      if (error instanceof PrivateAddress) throw new Refused(NOT_PUBLIC)
      if (!(error instanceof NoAnswer)) throw error
      silent.set(origin, (silent.get(origin) ?? 0) + 1)
      throw new Refused(NO_ANSWER)
    }
  }
}

/** A website does not answer, or not to the end. Failures of our disk are other errors. */
class NoAnswer extends Error {}

const noAnswer = (cause: unknown) =>
  cause instanceof PrivateAddress || cause instanceof Refused ? cause : new NoAnswer('', { cause })

const NO_ANSWER = 'its website does not answer, and the text still links to it'
const NONE = 'its website has no picture there that can be shown here, and the text still links to it'
const TOO_SLOW = 'the websites before it were too slow, and the text still links to it'
const NOT_PUBLIC = 'its website is not on the Internet, and the text still links to it'

function isOnInternet(url: URL): boolean {
  const address = addressIn(url)
  return url.port === '' && (address === undefined || isPublicAddress(address))
}

type Fetching = { max: number; isAllowed: (url: URL) => boolean; lookup: LookupFunction }

async function fetchTo(address: string, to: string, { max, isAllowed, lookup }: Fetching): Promise<string> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let url = URL.parse(address)
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    if (!url || !/^https?:$/.test(url.protocol) || !isAllowed(url)) throw new Refused(NOT_PUBLIC)
    const response = await answerOf(url, lookup, signal).catch((error: unknown) => {
      throw noAnswer(error)
    })
    const { statusCode: status = 0, headers } = response
    if (status >= 300 && status < 400 && headers.location !== undefined) {
      response.destroy()
      url = URL.parse(headers.location, url)
      continue
    }
    if (status !== 200 || NO_PICTURE.test(headers['content-type'] ?? '')) {
      response.destroy()
      throw new Refused(
        status === 200 ? NONE : `its website does not give it (${status}), and the text still links to it`,
      )
    }
    await store(response, to, max)
    const format = await formatOfFile(to)
    if (!isPicture(format)) throw new Refused(NONE)
    return `${nameIn(url)}.${format === 'jpeg' ? 'jpg' : format}`
  }
  throw new Refused('its website leads from one address to another, and the text still links to it')
}

function answerOf(url: URL, lookup: LookupFunction, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(
      url,
      {
        agent: false,
        signal,
        lookup,
        headers: { accept: 'image/*', 'accept-encoding': 'identity', 'user-agent': 'Milepost' },
      },
      resolve,
    )
    sent.once('error', reject)
    // Node destroys the socket of a 101 without any other event.
    sent.once('close', () => reject(new Error('The connection was closed without a response')))
    sent.end()
  })
}

async function store(response: IncomingMessage, to: string, max: number): Promise<void> {
  let length = 0
  async function* counted() {
    try {
      for await (const chunk of response as AsyncIterable<Buffer>) {
        length += chunk.length
        if (length > max)
          throw new Refused(`it is larger than the ${limitText(max)} that a picture may have here`)
        yield chunk
      }
    } catch (error) {
      throw noAnswer(error)
    }
  }
  await pipeline(counted, createWriteStream(to, { flags: 'w', mode: 0o600 }))
  if (length === 0) throw new Refused('it is empty')
}

/** Returns the name of a file in an address, without its ending. What no name of a file may have is removed when it is stored. */
function nameIn({ pathname }: URL): string {
  const decoded = unescape(pathname.slice(pathname.lastIndexOf('/') + 1))
  const last = decoded.slice(decoded.search(/[^/\\]*$/)).replace(/\.[a-z\d]{1,5}$/i, '')
  const name = firstCharacters(last, NAME_MAX).trim()
  return name === '' || name.includes('\uFFFD') ? 'picture' : name
}

const NAME_MAX = 100
