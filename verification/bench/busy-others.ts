import { once } from 'node:events'
import sharp from 'sharp'
import { repeatEach } from './requests.ts'

type Config = {
  origin: string
  port: number
  headers: Record<string, string>
  milestoneId: string
  email: string
  password: string
}

/** Between the messages `begin` and `stop`, uploads photographs sequentially and signs in repeatedly. */
process.once('message', (config: Config) => void prepare(config))

async function prepare(config: Config) {
  const photograph = await photo()
  let over = new AbortController()
  process.on('message', (what: 'begin' | 'stop') => {
    if (what === 'stop') return over.abort()
    over = new AbortController()
    const { signal } = over
    const work = Promise.all([upload(config, photograph, signal), signIn(config, signal)])
    void work.then(() => process.send?.('stopped'))
    process.send?.('begun')
  })
  process.send?.('ready')
}

/** Returns a photograph of twelve megapixels, as phones take them. */
async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
  const picture = sharp({
    create: { width: 4_000, height: 3_000, channels: 3, background: '#808080', noise },
  })
  return new Uint8Array(await picture.jpeg({ quality: 80 }).toBuffer())
}

async function upload(
  { origin, headers, milestoneId }: Config,
  photograph: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    const body = new FormData()
    body.set('title', 'Boards')
    body.set('content', 'They bend')
    body.set('image', new Blob([photograph]), 'photograph.jpg')
    const url = `${origin}/api/milestones/${milestoneId}/entries`
    const response = await fetch(url, { method: 'POST', headers, body })
    if (response.status !== 201) throw new Error(`an upload returned ${response.status}`)
    await response.arrayBuffer()
  }
}

async function signIn({ origin, port, email, password }: Config, signal: AbortSignal) {
  const body = JSON.stringify({ email, password })
  const request = { port, path: '/api/auth/sign-in/email', headers: { origin }, body }
  while (!signal.aborted) await repeatEach([request], 1, 204)
}

await once(process, 'disconnect')
