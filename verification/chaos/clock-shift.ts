import { readFileSync } from 'node:fs'

/**
 * Preloaded into the server: shifts its clock by the number of seconds in the file CLOCK_FILE. Timers are not affected, as when
 * the clock of a machine is set.
 */
const POLL_MS = 50
const file = process.env.CLOCK_FILE ?? ''
const RealDate = Date
let offset = 0

setInterval(() => {
  offset = Number(readFileSync(file, 'utf8')) * 1000
}, POLL_MS).unref()

const now = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (Real, given: []) => (given.length === 0 ? new Real(now()) : Reflect.construct(Real, given)),
  get: (Real, name) => (name === 'now' ? now : Reflect.get(Real, name)),
})
