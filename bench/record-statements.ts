import { appendFileSync } from 'node:fs'
import { Client, type QueryConfig } from 'pg'

/** Loaded before the product: writes down each statement that it sends, one a line, with the name that it is prepared by. */
const file = process.env.BENCH_STATEMENTS ?? ''
const plain = Reflect.get(Client.prototype, 'query') as (...sent: unknown[]) => unknown

Reflect.set(Client.prototype, 'query', function record(this: Client, ...sent: unknown[]) {
  const [first, given = []] = sent
  const { name, text, values = given } = (typeof first === 'string' ? { text: first } : first) as QueryConfig
  if (typeof text === 'string') appendFileSync(file, `${JSON.stringify({ name, text, values })}\n`)
  return Reflect.apply(plain, this, sent)
})
