import { readFileSync } from 'node:fs'

/**
 * Loaded before the server: its clock is wrong by so many seconds as the file of CLOCK_FILE says. Timers are not touched,
 * as when somebody sets the clock of a machine.
 */
const LOOK_MS = 50
const file = process.env.CLOCK_FILE ?? ''
const RealDate = Date
let offset = 0

setInterval(() => {
  offset = Number(readFileSync(file, 'utf8')) * 1000
}, LOOK_MS).unref()

const now = () => RealDate.now() + offset

globalThis.Date = new Proxy(RealDate, {
  construct: (Real, given: []) => (given.length === 0 ? new Real(now()) : Reflect.construct(Real, given)),
  get: (Real, name) => (name === 'now' ? now : Reflect.get(Real, name)),
})
