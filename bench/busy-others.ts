import { once } from 'node:events'
import sharp from 'sharp'
import { repeatEach } from './requests.ts'

type Told = {
  origin: string
  port: number
  headers: Record<string, string>
  milestoneId: string
  email: string
  password: string
}

/** Between `begin` and `stop` somebody uploads one photograph after the other, and somebody else signs in again and again. */
process.once('message', (told: Told) => void prepare(told))

async function prepare(told: Told) {
  const photograph = await photo()
  let over = new AbortController()
  process.on('message', (what: 'begin' | 'stop') => {
    if (what === 'stop') return over.abort()
    over = new AbortController()
    const { signal } = over
    const work = Promise.all([upload(told, photograph, signal), signIn(told, signal)])
    void work.then(() => process.send?.('stopped'))
    process.send?.('begun')
  })
  process.send?.('ready')
}

/** Twelve megapixels, as telephones take them. */
async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 12 } as const
  const picture = sharp({
    create: { width: 4_000, height: 3_000, channels: 3, background: '#808080', noise },
  })
  return new Uint8Array(await picture.jpeg({ quality: 80 }).toBuffer())
}

async function upload(
  { origin, headers, milestoneId }: Told,
  photograph: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
) {
  while (!signal.aborted) {
    const body = new FormData()
    body.set('title', 'Boards')
    body.set('content', 'They bend')
    body.set('image', new Blob([photograph]), 'photograph.jpg')
    const url = `${origin}/api/milestones/${milestoneId}/entries`
    const answer = await fetch(url, { method: 'POST', headers, body })
    if (answer.status !== 201) throw new Error(`an upload was answered ${answer.status}`)
    await answer.arrayBuffer()
  }
}

async function signIn({ origin, port, email, password }: Told, signal: AbortSignal) {
  const body = JSON.stringify({ email, password })
  const request = { port, path: '/api/auth/sign-in/email', headers: { origin }, body }
  while (!signal.aborted) await repeatEach([request], 1, 204)
}

await once(process, 'disconnect')
