import { appendFileSync } from 'node:fs'
import { Client } from 'pg'

/** Loaded before the product: writes down each statement that it sends, one a line. */
const file = process.env.BENCH_STATEMENTS ?? ''
const plain = Reflect.get(Client.prototype, 'query') as (...sent: unknown[]) => unknown

Reflect.set(Client.prototype, 'query', function record(this: Client, ...sent: unknown[]) {
  const [text, values = []] = sent
  if (typeof text === 'string') appendFileSync(file, `${JSON.stringify({ text, values })}\n`)
  return Reflect.apply(plain, this, sent)
})
