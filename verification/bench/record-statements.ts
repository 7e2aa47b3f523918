import { appendFileSync } from 'node:fs'
import { Client, type QueryConfig } from 'pg'

/** Preloaded into the product: appends each sent statement to a file, one per line, with the name of a prepared one. */
const file = process.env.BENCH_STATEMENTS ?? ''
const plain = Reflect.get(Client.prototype, 'query') as (...sent: unknown[]) => unknown

Reflect.set(Client.prototype, 'query', function record(this: Client, ...sent: unknown[]) {
  const [first, given = []] = sent
  const { name, text, values = given } = (typeof first === 'string' ? { text: first } : first) as QueryConfig
  if (typeof text === 'string') appendFileSync(file, `${JSON.stringify({ name, text, values })}\n`)
  return Reflect.apply(plain, this, sent)
})
